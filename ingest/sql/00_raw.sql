-- schema_version: the version of the tables, one row per change of them (version).
CREATE TABLE schema_version (
    version INTEGER NOT NULL, -- the version of himalaya's tables
);

-- ingested_files: one row per file that was read to its end (file, sha256).
CREATE TABLE ingested_files (
    file VARCHAR NOT NULL, -- path, as it was named
    size BIGINT NOT NULL, -- bytes on the disk
    sha256 VARCHAR NOT NULL, -- of the bytes on the disk; the same bytes are not read again
    matches INTEGER NOT NULL, -- matches taken from it
    skipped INTEGER NOT NULL, -- matches that were there already, with the same bytes
    quarantined INTEGER NOT NULL, -- what was put aside from it
    ingested_in INTEGER NOT NULL, -- number of the run
);

-- raw_matches: one row per match, with its log as it was (match_id).
CREATE TABLE raw_matches (
    match_id INTEGER NOT NULL, -- short name of the match in all tables
    match VARCHAR NOT NULL, -- name of the match in the log, unique
    lines BLOB NOT NULL, -- its lines, compressed by zstd
    bytes_sha256 VARCHAR NOT NULL, -- of its lines, line ends included
    size BIGINT NOT NULL, -- bytes of its lines
    file VARCHAR NOT NULL, -- where it was found
    first_line INTEGER NOT NULL, -- and in which line it starts there
    events INTEGER NOT NULL, -- number of lines
    plies INTEGER NOT NULL, -- the last ply
    rounds INTEGER NOT NULL, -- the last round
);

-- quarantine: one row per match, or group of lines of no match, that was put aside (quarantine_id).
CREATE TABLE quarantine (
    quarantine_id INTEGER NOT NULL,
    file VARCHAR NOT NULL, -- where it was found
    line INTEGER NOT NULL, -- the first bad line
    match VARCHAR, -- the match, if the lines say
    reason VARCHAR NOT NULL, -- code of the reason
    message VARCHAR NOT NULL, -- field, what was expected, what was found
    text BLOB NOT NULL, -- all lines put aside, as they were
    sha256 VARCHAR NOT NULL, -- of the text
    ingested_in INTEGER NOT NULL, -- number of the run
);
