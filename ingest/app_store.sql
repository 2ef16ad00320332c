-- Data from users that is in no log. Times are UTC, `2026-11-28T09:30:00.000000+00:00`; lists are JSON.

-- pair: one row with the warehouse that this store belongs to (warehouse).
CREATE TABLE pair (
    warehouse TEXT NOT NULL -- id of the warehouse, as in its table app_store
) STRICT;

-- tokens: one row per secret of a token; a rotated token has two until the previous one expires (sha256).
CREATE TABLE tokens (
    sha256 TEXT PRIMARY KEY NOT NULL, -- SHA-256 of the secret, which is not stored
    name TEXT NOT NULL, -- name of the token
    scopes TEXT NOT NULL, -- permissions
    created_at TEXT NOT NULL,
    expires_at TEXT, -- time of expiry; NULL if it does not expire
    used_at TEXT, -- last use, to the hour; NULL if never used
    replaced_at TEXT -- when it was rotated; NULL for the current secret
) STRICT;

-- sessions: one row per signed-in browser (sha256).
CREATE TABLE sessions (
    sha256 TEXT PRIMARY KEY NOT NULL, -- SHA-256 of the cookie
    token TEXT NOT NULL, -- SHA-256 of the token's secret
    ends_at TEXT NOT NULL
) STRICT;

-- audit: one row per audited action; repeated actions are counted in one row per hour (entry).
CREATE TABLE audit (
    entry INTEGER PRIMARY KEY NOT NULL, -- number of the entry
    first_at TEXT NOT NULL, -- first time within an hour
    last_at TEXT NOT NULL, -- last time within that hour
    times INTEGER NOT NULL, -- number of times within that hour
    who TEXT NOT NULL, -- name of the token or user, operator for a command, local for this machine, or nobody
    how TEXT NOT NULL, -- how they were identified: token, sign-in, proxy, this machine, command, or nothing
    address TEXT NOT NULL, -- address of the client; empty for a command; various if the row combines actions beyond the hourly maximum
    action TEXT NOT NULL, -- sign in, send logs, add bookmark, make report, create_token, …
    what TEXT NOT NULL, -- object of the action: name of a token, id of a report, file of a backup
    outcome TEXT NOT NULL -- done or refused
) STRICT;
CREATE INDEX audit_by_first ON audit (first_at);
CREATE INDEX audit_by_last ON audit (last_at);

-- bookmarks: one row per bookmark on a match or a ply (id).
CREATE TABLE bookmarks (
    id TEXT PRIMARY KEY NOT NULL, -- random id
    match TEXT NOT NULL, -- name of the match in the log
    ply TEXT, -- as in page addresses: 57, or 57.3 for the third event of ply 57; NULL for the whole match
    label TEXT NOT NULL, -- text of the note
    tags TEXT NOT NULL, -- list of tags
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX bookmarks_by_match ON bookmarks (match);

-- branches: one row per saved branch (what-if) of a match (id).
CREATE TABLE branches (
    id TEXT PRIMARY KEY NOT NULL, -- first 32 digits of the SHA-256 of the document
    match TEXT NOT NULL, -- name of the match it branches from
    document TEXT NOT NULL, -- canonical JSON: starting event, dice, and a tree of actions
    title TEXT NOT NULL, -- title
    kept_by TEXT NOT NULL, -- user who saved it, as in the audit log
    kept_at TEXT NOT NULL
) STRICT;
CREATE INDEX branches_by_match ON branches (match);

-- studies: one row per study: ordered chapters about positions of matches (id).
CREATE TABLE studies (
    id TEXT PRIMARY KEY NOT NULL, -- random id
    title TEXT NOT NULL, -- as in the document
    chapters INTEGER NOT NULL, -- number of chapters
    document TEXT NOT NULL, -- the study as exported JSON
    made_by TEXT NOT NULL, -- name of the token or of the user, local for this machine
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;

-- drafts: one row per recording of a match in progress (id).
CREATE TABLE drafts (
    id TEXT PRIMARY KEY NOT NULL, -- id in page addresses
    game TEXT NOT NULL, -- name of the game
    setup TEXT NOT NULL, -- JSON: board, options, seats, and source of chance
    title TEXT NOT NULL, -- title
    made_by TEXT NOT NULL, -- name of the token or of the user, local for this machine
    made_at TEXT NOT NULL
) STRICT;

-- draft_changes: one row per change of a recording, append-only (draft, number).
CREATE TABLE draft_changes (
    draft TEXT NOT NULL, -- id of the recording
    number INTEGER NOT NULL, -- from 1, without gaps
    change TEXT NOT NULL, -- JSON: an entry, the number of entries that an undo keeps, a claimed seat, or a submission
    entries INTEGER NOT NULL, -- number of entries after the change
    is_over INTEGER NOT NULL, -- 1 if the match is over after the change
    changed_by TEXT NOT NULL, -- as made_by in drafts; for an entry also the name of a program, or chance
    changed_at TEXT NOT NULL,
    PRIMARY KEY (draft, number)
) STRICT;
