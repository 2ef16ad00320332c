
-- schema_version: the version of the tables (version).
CREATE TABLE schema_version (
    version INTEGER NOT NULL, -- the version of himalaya's tables
);

-- ingest_runs: one row per run that took logs in; all that is received over HTTP on a day is one, unless another comes between (run).
CREATE TABLE ingest_runs (
    run INTEGER NOT NULL, -- number of the run
    started_at TIMESTAMP NOT NULL, -- UTC
    source VARCHAR NOT NULL, -- command, watch, received, retry, upgrade, or judged: what departs from the rules, found later
    files INTEGER NOT NULL, -- files read to their end
    matches INTEGER NOT NULL, -- matches taken, new or completed
    events INTEGER NOT NULL, -- their lines
    skipped INTEGER NOT NULL, -- matches that were there already, with the same bytes, or were forgotten
    quarantined INTEGER NOT NULL, -- rejected lines or matches that no earlier run had rejected
);

-- ingested_files: one row per file that was read to its end (file, sha256).
CREATE TABLE ingested_files (
    file VARCHAR NOT NULL, -- path, as it was named
    size BIGINT NOT NULL, -- bytes on the disk
    sha256 VARCHAR NOT NULL, -- of the bytes on the disk; the same bytes are not read again
    matches INTEGER NOT NULL, -- matches taken from it
    skipped INTEGER NOT NULL, -- matches that were there already, with the same bytes, or were forgotten
    quarantined INTEGER NOT NULL, -- rejected lines or matches of it
    ingested_in INTEGER NOT NULL, -- number of the run
);

-- raw_matches: one row per match, with its log as it was (match_id).
CREATE TABLE raw_matches (
    match_id INTEGER NOT NULL, -- short name of the match in all tables
    match VARCHAR NOT NULL, -- name of the match in the log, unique
    lines BLOB USING COMPRESSION uncompressed NOT NULL, -- its lines, compressed by zstd
    bytes_sha256 VARCHAR NOT NULL, -- of its lines, line ends included
    size BIGINT NOT NULL, -- bytes of its lines
    file VARCHAR NOT NULL, -- where it was found
    first_line INTEGER NOT NULL, -- and in which line it starts there
    events INTEGER NOT NULL, -- number of lines
    plies INTEGER NOT NULL, -- the last ply
    rounds INTEGER NOT NULL, -- the last round
    tournament VARCHAR, -- given with the logs, for a match whose log names none
    ingested_in INTEGER NOT NULL, -- number of the run
    verdict VARCHAR DEFAULT 'waiting', -- of the rules: clean, waiting (not judged yet), or unjudged: its rules or its board are not installed
    luck_verdict VARCHAR, -- whether its dice are those of its seed: follows, differs, or none if it names no seed; none if not judged
    player_verdicts VARCHAR, -- by seat, with commas between, whether its player, asked again, chooses what the log says: repeats, differs, or not asked: it could not be; none if nobody has asked yet
    player_sources JSON, -- by player, what it was made of, as the manifest of the tournament beside the log says
    looks JSON, -- whether figures of the tournament were looked at before it ended, as that manifest says: extended, the numbers of matches at which it was complete before it was extended; until_decided, if a sequential test looked after each seed
    model VARCHAR, -- SHA-256 of the model of the chances of winning that the tournament named before its first match, as that manifest says
);

-- quarantine: one row per rejected match, or group of rejected lines of no match (quarantine_id).
CREATE TABLE quarantine (
    quarantine_id INTEGER NOT NULL, -- number of the entry
    file VARCHAR NOT NULL, -- where it was found
    line INTEGER NOT NULL, -- the first bad line
    match VARCHAR, -- the match, if the lines say
    reason VARCHAR NOT NULL, -- code of the reason
    message VARCHAR NOT NULL, -- field, what was expected, what was found
    text BLOB USING COMPRESSION uncompressed NOT NULL, -- all rejected lines, as they were, compressed by zstd
    size BIGINT NOT NULL, -- bytes of the text
    sha256 VARCHAR NOT NULL, -- of the text
    ingested_in INTEGER NOT NULL, -- number of the run
    resolved_in INTEGER, -- number of the run in which the match came in after all; none while it is open
);

-- quarantine_numbers: one row, once anything was quarantined (highest).
CREATE TABLE quarantine_numbers (
    highest INTEGER NOT NULL, -- the highest quarantine_id ever given: a row that was dropped leaves its number to no other
);

-- forgotten_matches: one row per log that was forgotten and is not taken again (bytes_sha256).
CREATE TABLE forgotten_matches (
    bytes_sha256 VARCHAR NOT NULL, -- of its lines
    first_line_sha256 VARCHAR, -- of its first line, if that names the match: what starts with it is not taken again
    forgotten_in INTEGER NOT NULL, -- number of the last run before
);

-- watched_files: one row per file that is followed as it grows (file).
CREATE TABLE watched_files (
    file VARCHAR NOT NULL, -- path, as it was found
    device BIGINT NOT NULL, -- with the inode, which file it is, whatever it is called
    inode BIGINT NOT NULL, -- number of the file on its device
    position BIGINT NOT NULL, -- where the first line starts that is not settled
    line INTEGER NOT NULL, -- number of that line
    sha256 VARCHAR NOT NULL, -- of the bytes before the position
    size BIGINT NOT NULL, -- bytes read
    live VARCHAR, -- the match that is open at its end
    seen_at TIMESTAMP NOT NULL, -- UTC
);

-- receipts: one row per body of logs that was received over HTTP, for 30 days and at most 100,000 (receipt).
CREATE TABLE receipts (
    receipt VARCHAR NOT NULL, -- SHA-256 of the body
    size BIGINT NOT NULL, -- bytes of the body
    received_at TIMESTAMP NOT NULL, -- UTC
    source VARCHAR NOT NULL, -- name of the token, or local
    status VARCHAR NOT NULL, -- taken or refused
    result JSON NOT NULL, -- what became of it
);

-- app_store: one row, once there is a file beside this one for what people write (warehouse).
CREATE TABLE app_store (
    warehouse VARCHAR NOT NULL, -- id of this database, which that file has too
    contents BLOB, -- in a backup, all that is in that file; none in a database in use
);
