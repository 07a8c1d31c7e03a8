-- Uploads in pieces, before an import uses them: their bytes are files of the store, named by the id.

create table uploads (
  id text primary key,
  owner_id bigint not null references users on delete cascade,
  name text not null,
  size bigint not null check (size > 0),
  -- Bytes on the disk for certain; what the file holds behind them does not count.
  received bigint not null default 0 check (received between 0 and size),
  fingerprint text not null default '',
  -- The import that uses it.
  experiment_id bigint references experiments on delete cascade,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now()
);
create index uploads_of_owner on uploads (owner_id);
create index uploads_of_experiment on uploads (experiment_id);
