-- Everything that people write and no log says. Times are UTC, `2026-11-28T09:30:00.000000+00:00`; lists are JSON.

-- pair: one row: which warehouse this belongs to (warehouse).
CREATE TABLE pair (
    warehouse TEXT NOT NULL -- its id, which its table app_store has too
) STRICT;

-- tokens: one row per secret that lets in who sends it; a token whose secret was changed has two for a while (sha256).
CREATE TABLE tokens (
    sha256 TEXT PRIMARY KEY NOT NULL, -- of the secret, which is stored nowhere
    name TEXT NOT NULL, -- name of the token
    scopes TEXT NOT NULL, -- what its holder may do
    created_at TEXT NOT NULL,
    expires_at TEXT, -- when it ends; none if it does not
    used_at TEXT, -- when it was used last, to the hour; none if never
    replaced_at TEXT -- when another secret took its place; none while it is the one
) STRICT;

-- sessions: one row per browser that somebody has signed in with (sha256).
CREATE TABLE sessions (
    sha256 TEXT PRIMARY KEY NOT NULL, -- of the cookie
    token TEXT NOT NULL, -- sha256 of the secret that was used
    ends_at TEXT NOT NULL
) STRICT;

-- audit: one row per thing that somebody did; what is done often is counted in one row an hour (entry).
CREATE TABLE audit (
    entry INTEGER PRIMARY KEY NOT NULL, -- number of the entry
    first_at TEXT NOT NULL, -- when it was done, the first time within an hour
    last_at TEXT NOT NULL, -- when it was done last within that hour
    times INTEGER NOT NULL, -- how often within that hour
    who TEXT NOT NULL, -- name of the token or of the user, operator for a command, local for this machine, nobody
    how TEXT NOT NULL, -- how they were known: token, sign-in, proxy, this machine, command, or nothing
    address TEXT NOT NULL, -- of the client; empty for a command, various for the many of one hour
    action TEXT NOT NULL, -- what was done: sign in, send logs, add bookmark, make report, create_token, …
    what TEXT NOT NULL, -- to what: the name of the token, the id of the report, the file of the backup
    outcome TEXT NOT NULL -- done or refused
) STRICT;
CREATE INDEX audit_by_first ON audit (first_at);
CREATE INDEX audit_by_last ON audit (last_at);

-- bookmarks: one row per bookmark that somebody put on a match or a ply of it (id).
CREATE TABLE bookmarks (
    id TEXT PRIMARY KEY NOT NULL, -- made at random
    match TEXT NOT NULL, -- name of the match in the log
    ply TEXT, -- as addresses name it: 57, or 57.3 for the third event of ply 57; none for the whole match
    label TEXT NOT NULL, -- what it says
    tags TEXT NOT NULL, -- what it is filed under
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX bookmarks_by_match ON bookmarks (match);

-- branches: one row per branch of a match that somebody keeps: what was tried instead (id).
CREATE TABLE branches (
    id TEXT PRIMARY KEY NOT NULL, -- first 32 digits of the SHA-256 of the document
    match TEXT NOT NULL, -- name of the match that it branches from
    document TEXT NOT NULL, -- canonical JSON: after which event, with which dice, and a tree of actions
    title TEXT NOT NULL, -- what it is called
    kept_by TEXT NOT NULL, -- who keeps it, by the name that the audit has
    kept_at TEXT NOT NULL
) STRICT;
CREATE INDEX branches_by_match ON branches (match);

-- studies: one row per study, chapters about positions of matches in an order (id).
CREATE TABLE studies (
    id TEXT PRIMARY KEY NOT NULL, -- made at random
    title TEXT NOT NULL, -- as in the document
    chapters INTEGER NOT NULL, -- how many there are
    document TEXT NOT NULL, -- the study as JSON, as it is exported
    made_by TEXT NOT NULL, -- name of the token or of the user, local for this machine
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;

-- drafts: one row per match that is being recorded while it is played (id).
CREATE TABLE drafts (
    id TEXT PRIMARY KEY NOT NULL, -- what it is called in addresses
    game TEXT NOT NULL, -- name of the game
    setup TEXT NOT NULL, -- JSON: board, options, seats, and where chance comes from
    title TEXT NOT NULL, -- what it is called
    made_by TEXT NOT NULL, -- name of the token or of the user, local for this machine
    made_at TEXT NOT NULL
) STRICT;

-- draft_changes: one row per change of such a match; they are only ever added (draft, number).
CREATE TABLE draft_changes (
    draft TEXT NOT NULL, -- id of the match that is being recorded
    number INTEGER NOT NULL, -- from 1, without a gap
    change TEXT NOT NULL, -- JSON: an entry, how many entries an undo keeps, a seat that is taken, or what was handed in
    entries INTEGER NOT NULL, -- how many entries there are after it
    is_over INTEGER NOT NULL, -- 1 if the match is over after it
    changed_by TEXT NOT NULL, -- as in drafts; of an entry also the name of a program, or chance
    changed_at TEXT NOT NULL,
    PRIMARY KEY (draft, number)
) STRICT;
