
-- schema_version: the schema version of the warehouse (version).
CREATE TABLE schema_version (
    version INTEGER NOT NULL, -- schema version
);

-- ingest_runs: one row per ingest run; all logs received over HTTP on a day share a run, unless another run starts in between (run).
CREATE TABLE ingest_runs (
    run INTEGER NOT NULL, -- number of the run
    started_at TIMESTAMP NOT NULL, -- UTC
    source VARCHAR NOT NULL, -- command, watch, received, retry, upgrade, or judged (divergence from the rules found later)
    files INTEGER NOT NULL, -- files read to their end
    matches INTEGER NOT NULL, -- matches loaded, new or completed
    events INTEGER NOT NULL, -- log lines of these matches
    skipped INTEGER NOT NULL, -- matches that were already loaded with the same bytes, or were forgotten
    quarantined INTEGER NOT NULL, -- newly rejected lines or matches
);

-- ingested_files: one row per file read to its end (file, sha256).
CREATE TABLE ingested_files (
    file VARCHAR NOT NULL, -- path as given
    size BIGINT NOT NULL, -- bytes on disk
    sha256 VARCHAR NOT NULL, -- SHA-256 of the file; the same bytes are not read again
    matches INTEGER NOT NULL, -- matches loaded from it
    skipped INTEGER NOT NULL, -- matches that were already loaded with the same bytes, or were forgotten
    quarantined INTEGER NOT NULL, -- rejected lines or matches in it
    ingested_in INTEGER NOT NULL, -- number of the run
);

-- raw_matches: one row per match, with its original log (match_id).
CREATE TABLE raw_matches (
    match_id INTEGER NOT NULL, -- short name of the match in all tables
    match VARCHAR NOT NULL, -- name of the match in the log, unique
    lines BLOB USING COMPRESSION uncompressed NOT NULL, -- the log, compressed by zstd
    bytes_sha256 VARCHAR NOT NULL, -- SHA-256 of the log, including line ends
    size BIGINT NOT NULL, -- bytes of the log
    file VARCHAR NOT NULL, -- file with the log
    first_line INTEGER NOT NULL, -- number of its first line in that file
    events INTEGER NOT NULL, -- number of lines
    plies INTEGER NOT NULL, -- number of the last ply
    rounds INTEGER NOT NULL, -- number of the last round
    tournament VARCHAR, -- given when loading, for a match whose log names none
    ingested_in INTEGER NOT NULL, -- number of the run
    verdict VARCHAR DEFAULT 'waiting', -- result of checking the rules: clean, waiting (not checked yet), or unjudged (rules or board not installed)
    luck_verdict VARCHAR, -- result of the seed check: follows, differs, or none if the log names no seed; NULL if not checked
    player_verdicts VARCHAR, -- for each seat, comma-separated, whether the player reproduces its decisions: repeats, differs, or not asked (not possible); NULL if not checked
    player_sources JSON, -- source digest by player, from the manifest of the tournament
    looks JSON, -- interim analyses of the tournament, from its manifest: extended lists its number of matches before each extension; until_decided is true for a sequential test after each seed
    model VARCHAR, -- SHA-256 of the win-probability model that the manifest named before the first match
);

-- quarantine: one row per rejected match, or per group of rejected lines without a match (quarantine_id).
CREATE TABLE quarantine (
    quarantine_id INTEGER NOT NULL, -- number of the entry
    file VARCHAR NOT NULL, -- file with the lines
    line INTEGER NOT NULL, -- number of the first bad line
    match VARCHAR, -- name of the match, if known
    reason VARCHAR NOT NULL, -- code of the reason
    message VARCHAR NOT NULL, -- field, expected and found value
    text BLOB USING COMPRESSION uncompressed NOT NULL, -- all rejected lines as received, compressed by zstd
    size BIGINT NOT NULL, -- bytes of the text
    sha256 VARCHAR NOT NULL, -- SHA-256 of the text
    ingested_in INTEGER NOT NULL, -- number of the run
    resolved_in INTEGER, -- number of the run that loaded the match after all; NULL while open
);

-- quarantine_numbers: one row, as soon as anything was quarantined (highest).
CREATE TABLE quarantine_numbers (
    highest INTEGER NOT NULL, -- highest quarantine_id so far; numbers of deleted entries are not reused
);

-- forgotten_matches: one row per forgotten log, which is not loaded again (bytes_sha256).
CREATE TABLE forgotten_matches (
    bytes_sha256 VARCHAR NOT NULL, -- SHA-256 of the log
    first_line_sha256 VARCHAR, -- SHA-256 of its first line, if that names the match; logs with this first line are not loaded
    forgotten_in INTEGER NOT NULL, -- number of the last run before it was forgotten
);

-- watched_files: one row per file followed while it grows (file).
CREATE TABLE watched_files (
    file VARCHAR NOT NULL, -- path as found
    device BIGINT NOT NULL, -- device of the file; device and inode identify it after a rename
    inode BIGINT NOT NULL, -- inode of the file
    position BIGINT NOT NULL, -- offset of the first line that may have to be read again
    line INTEGER NOT NULL, -- number of that line
    sha256 VARCHAR NOT NULL, -- SHA-256 of the bytes before the position
    size BIGINT NOT NULL, -- bytes read
    live VARCHAR, -- unfinished match at the end of the file
    seen_at TIMESTAMP NOT NULL, -- UTC
);

-- receipts: one row per upload of logs over HTTP, kept for 30 days, at most 100,000 (receipt).
CREATE TABLE receipts (
    receipt VARCHAR NOT NULL, -- SHA-256 of the body
    size BIGINT NOT NULL, -- bytes of the body
    received_at TIMESTAMP NOT NULL, -- UTC
    source VARCHAR NOT NULL, -- name of the token, or local
    status VARCHAR NOT NULL, -- taken or refused
    result JSON NOT NULL, -- result of loading the body
);

-- app_store: one row, as soon as an app store exists (warehouse).
CREATE TABLE app_store (
    warehouse VARCHAR NOT NULL, -- id shared with the app store
    contents BLOB, -- contents of the app store in a backup; NULL in a database in use
);
