-- Version 1: documents, passages, extractions, the settled part (entities, schemas, facts), vectors, and the change log.
--
-- `id` is the stable public id of a record; `no` is this file's own row number, used between tables because it is short.
-- `begins` and `ends` are character offsets, start inclusive and end exclusive.
-- Lists and mappings are JSON. No column holds a time except those of `stage`, which only reports.

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE file (
    source    TEXT NOT NULL PRIMARY KEY,
    sha256    TEXT NOT NULL,
    state     TEXT NOT NULL CHECK (state IN ('done', 'unchanged', 'skipped', 'failed')),
    reason    TEXT NOT NULL,
    documents INTEGER NOT NULL,
    passages  INTEGER NOT NULL,
    pages     INTEGER NOT NULL,
    seconds   REAL NOT NULL,
    warnings  TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE stage (
    name     TEXT NOT NULL PRIMARY KEY,
    started  TEXT NOT NULL,
    finished TEXT,
    done     INTEGER NOT NULL,
    total    INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE document (
    no          INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    source      TEXT NOT NULL UNIQUE,
    sha256      TEXT NOT NULL,
    format      TEXT NOT NULL,
    title       TEXT NOT NULL,
    language    TEXT NOT NULL,
    page_count  INTEGER NOT NULL,
    authors     TEXT NOT NULL,
    year        INTEGER,
    doi         TEXT,
    external_id TEXT,
    metadata    TEXT NOT NULL,
    warnings    TEXT NOT NULL
);

CREATE INDEX document_digest ON document (sha256);

CREATE TABLE passage (
    no          INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    document_no INTEGER NOT NULL REFERENCES document (no) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    text        TEXT NOT NULL,
    begins      INTEGER NOT NULL,
    ends        INTEGER NOT NULL,
    language    TEXT NOT NULL,
    section     TEXT NOT NULL,
    regions     BLOB NOT NULL
);
CREATE INDEX passage_order ON passage (document_no, position);

-- One row for each passage that an extractor has read. The text of a mention is not stored: it is the passage's own.
CREATE TABLE extraction (
    passage_id  TEXT NOT NULL PRIMARY KEY REFERENCES passage (id) ON DELETE CASCADE,
    extractor   TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    reason      TEXT NOT NULL,
    mentions    INTEGER NOT NULL,
    triples     INTEGER NOT NULL,
    definitions INTEGER NOT NULL,
    content     TEXT NOT NULL
);

CREATE TABLE entity (
    no        INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    match_key TEXT NOT NULL,
    name      TEXT NOT NULL,
    type      TEXT NOT NULL,
    aliases   TEXT NOT NULL
);

CREATE TABLE schema (
    no                 INTEGER PRIMARY KEY,
    id                 TEXT NOT NULL UNIQUE,
    head_type          TEXT NOT NULL,
    relation           TEXT NOT NULL,
    tail_type          TEXT NOT NULL,
    frequency          INTEGER NOT NULL CHECK (frequency >= 1),
    document_frequency INTEGER NOT NULL CHECK (document_frequency BETWEEN 1 AND frequency),
    state              TEXT NOT NULL CHECK (state IN ('pending', 'stable'))
);

CREATE TABLE fact (
    no        INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    head_no   INTEGER NOT NULL REFERENCES entity (no),
    relation  TEXT NOT NULL,
    tail_no   INTEGER NOT NULL REFERENCES entity (no),
    schema_no INTEGER NOT NULL REFERENCES schema (no),
    state     TEXT NOT NULL CHECK (state IN ('pending', 'active', 'superseded'))
);
CREATE INDEX fact_head ON fact (head_no);
CREATE INDEX fact_tail ON fact (tail_no);
CREATE INDEX fact_schema ON fact (schema_no);

CREATE TABLE provenance (
    fact_no    INTEGER NOT NULL REFERENCES fact (no) ON DELETE CASCADE,
    passage_no INTEGER NOT NULL REFERENCES passage (no) ON DELETE CASCADE,
    begins     INTEGER NOT NULL,
    ends       INTEGER NOT NULL,
    extractor  TEXT NOT NULL,
    PRIMARY KEY (fact_no, passage_no, begins, ends, extractor)
) WITHOUT ROWID;
CREATE INDEX provenance_passage ON provenance (passage_no);

-- Vectors are little-endian float32, of norm 1. `vector_space` says which model made them, for each kind of item.
CREATE TABLE vector_space (
    kind      TEXT NOT NULL PRIMARY KEY CHECK (kind IN ('passage', 'fact', 'schema')),
    model     TEXT NOT NULL,
    dimension INTEGER NOT NULL CHECK (dimension >= 1)
) WITHOUT ROWID;
CREATE TABLE passage_vector (
    id     TEXT NOT NULL PRIMARY KEY REFERENCES passage (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
);
CREATE TABLE fact_vector (
    id     TEXT NOT NULL PRIMARY KEY REFERENCES fact (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
);
CREATE TABLE schema_vector (
    id     TEXT NOT NULL PRIMARY KEY REFERENCES schema (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
);
-- The change log. Each record has at most one row, its newest change, so that the log never outgrows the data.
-- A trigger cannot use INSERT OR REPLACE here: the conflict clause of the statement that fires it would win.
CREATE TABLE change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind     TEXT NOT NULL,
    id       TEXT NOT NULL,
    op       TEXT NOT NULL CHECK (op IN ('put', 'delete')),
    UNIQUE (kind, id)
);
CREATE TRIGGER document_insert AFTER INSERT ON document BEGIN
    DELETE FROM change WHERE kind = 'document' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('document', new.id, 'put');
END;
CREATE TRIGGER document_update AFTER UPDATE ON document BEGIN
    DELETE FROM change WHERE kind = 'document' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('document', new.id, 'put');
END;
CREATE TRIGGER document_delete AFTER DELETE ON document BEGIN
    DELETE FROM change WHERE kind = 'document' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('document', old.id, 'delete');
END;
CREATE TRIGGER passage_insert AFTER INSERT ON passage BEGIN
    DELETE FROM change WHERE kind = 'passage' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('passage', new.id, 'put');
END;
CREATE TRIGGER passage_update AFTER UPDATE ON passage BEGIN
    DELETE FROM change WHERE kind = 'passage' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('passage', new.id, 'put');
END;
CREATE TRIGGER passage_delete AFTER DELETE ON passage BEGIN
    DELETE FROM change WHERE kind = 'passage' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('passage', old.id, 'delete');
END;
CREATE TRIGGER extraction_insert AFTER INSERT ON extraction BEGIN
    DELETE FROM change WHERE kind = 'extraction' AND id = new.passage_id;
    INSERT INTO change (kind, id, op) VALUES ('extraction', new.passage_id, 'put');
END;
CREATE TRIGGER extraction_update AFTER UPDATE ON extraction BEGIN
    DELETE FROM change WHERE kind = 'extraction' AND id = new.passage_id;
    INSERT INTO change (kind, id, op) VALUES ('extraction', new.passage_id, 'put');
END;
CREATE TRIGGER extraction_delete AFTER DELETE ON extraction BEGIN
    DELETE FROM change WHERE kind = 'extraction' AND id = old.passage_id;
    INSERT INTO change (kind, id, op) VALUES ('extraction', old.passage_id, 'delete');
END;
CREATE TRIGGER entity_insert AFTER INSERT ON entity BEGIN
    DELETE FROM change WHERE kind = 'entity' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('entity', new.id, 'put');
END;
CREATE TRIGGER entity_update AFTER UPDATE ON entity BEGIN
    DELETE FROM change WHERE kind = 'entity' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('entity', new.id, 'put');
END;
CREATE TRIGGER entity_delete AFTER DELETE ON entity BEGIN
    DELETE FROM change WHERE kind = 'entity' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('entity', old.id, 'delete');
END;
CREATE TRIGGER schema_insert AFTER INSERT ON schema BEGIN
    DELETE FROM change WHERE kind = 'schema' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('schema', new.id, 'put');
END;
CREATE TRIGGER schema_update AFTER UPDATE ON schema BEGIN
    DELETE FROM change WHERE kind = 'schema' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('schema', new.id, 'put');
END;
CREATE TRIGGER schema_delete AFTER DELETE ON schema BEGIN
    DELETE FROM change WHERE kind = 'schema' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('schema', old.id, 'delete');
END;
CREATE TRIGGER fact_insert AFTER INSERT ON fact BEGIN
    DELETE FROM change WHERE kind = 'fact' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('fact', new.id, 'put');
END;
CREATE TRIGGER fact_update AFTER UPDATE ON fact BEGIN
    DELETE FROM change WHERE kind = 'fact' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('fact', new.id, 'put');
END;
CREATE TRIGGER fact_delete AFTER DELETE ON fact BEGIN
    DELETE FROM change WHERE kind = 'fact' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('fact', old.id, 'delete');
END;
CREATE TRIGGER passage_vector_insert AFTER INSERT ON passage_vector BEGIN
    DELETE FROM change WHERE kind = 'passage_vector' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('passage_vector', new.id, 'put');
END;
CREATE TRIGGER passage_vector_update AFTER UPDATE ON passage_vector BEGIN
    DELETE FROM change WHERE kind = 'passage_vector' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('passage_vector', new.id, 'put');
END;
CREATE TRIGGER passage_vector_delete AFTER DELETE ON passage_vector BEGIN
    DELETE FROM change WHERE kind = 'passage_vector' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('passage_vector', old.id, 'delete');
END;
CREATE TRIGGER fact_vector_insert AFTER INSERT ON fact_vector BEGIN
    DELETE FROM change WHERE kind = 'fact_vector' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('fact_vector', new.id, 'put');
END;
CREATE TRIGGER fact_vector_update AFTER UPDATE ON fact_vector BEGIN
    DELETE FROM change WHERE kind = 'fact_vector' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('fact_vector', new.id, 'put');
END;
CREATE TRIGGER fact_vector_delete AFTER DELETE ON fact_vector BEGIN
    DELETE FROM change WHERE kind = 'fact_vector' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('fact_vector', old.id, 'delete');
END;
CREATE TRIGGER schema_vector_insert AFTER INSERT ON schema_vector BEGIN
    DELETE FROM change WHERE kind = 'schema_vector' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('schema_vector', new.id, 'put');
END;
CREATE TRIGGER schema_vector_update AFTER UPDATE ON schema_vector BEGIN
    DELETE FROM change WHERE kind = 'schema_vector' AND id = new.id;
    INSERT INTO change (kind, id, op) VALUES ('schema_vector', new.id, 'put');
END;
CREATE TRIGGER schema_vector_delete AFTER DELETE ON schema_vector BEGIN
    DELETE FROM change WHERE kind = 'schema_vector' AND id = old.id;
    INSERT INTO change (kind, id, op) VALUES ('schema_vector', old.id, 'delete');
END;
-- Where a fact was stated is part of the fact.
CREATE TRIGGER provenance_insert AFTER INSERT ON provenance BEGIN
    DELETE FROM change WHERE kind = 'fact' AND id = (SELECT id FROM fact WHERE no = new.fact_no);
    INSERT INTO change (kind, id, op) SELECT 'fact', id, 'put' FROM fact WHERE no = new.fact_no;
END;
CREATE TRIGGER provenance_delete AFTER DELETE ON provenance BEGIN
    DELETE FROM change WHERE kind = 'fact' AND id = (SELECT id FROM fact WHERE no = old.fact_no);
    INSERT INTO change (kind, id, op) SELECT 'fact', id, 'put' FROM fact WHERE no = old.fact_no;
END;
