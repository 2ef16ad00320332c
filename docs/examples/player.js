// A player as a program: takes the legal action with the longest text.
// Run it with: himalaya play summit --players "prog:node player.js,porter" --seed monday
const lines = require("node:readline").createInterface({ input: process.stdin });

/** Return a legal action. `legal` is null if there are more than 1,000; then answer with a number. */
function choose(view, legal) {
  return legal.reduce((best, action) => (JSON.stringify(action).length > JSON.stringify(best).length ? action : best));
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ protocol: 1, name: "wordy", version: "1", params: { unit: "letters" } });
  } else if (message.type === "choose") {
    if (message.legal) say({ id: message.id, action: choose(message.view, message.legal) });
    else say({ id: message.id, number: Math.floor(message.number_of_legal / 2) });
  }
}); // ends when Himalaya closes the pipe

function say(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}
