-- Analyses of a workflow's experiment, and imports that a job reads.

-- The order for an analysis, its lease and its result.
create table analyses (
  id bigint generated always as identity primary key,
  workflow_id bigint not null references objects on delete cascade,
  -- The run that is analysed; a purged one leaves the result with its workflow.
  experiment_id bigint references objects on delete set null,
  -- Id of a model, of a built-in function, or empty for an analyzer that ran elsewhere.
  analyzer_id text not null,
  user_id bigint not null references users,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  attempts integer not null default 0,
  -- Until when it is looked after; 'infinity' while it waits for its job.
  lease_until timestamptz not null default 'infinity',
  lease integer not null default 0,
  -- The worker that does it: when that is dead nobody waits for the lease to end.
  holder bigint,
  return_code integer,
  errlines text not null default '',
  -- The file: bytes are a blob that the workflow and the experiment keep.
  hash bytea,
  file_name text not null default '',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
-- One analysis of a workflow goes on at a time.
create unique index analyses_open on analyses (workflow_id) where state in ('waiting', 'running');
create index analyses_of_workflow on analyses (workflow_id, id desc);
create index analyses_of_experiment on analyses (experiment_id, id desc);
create index analyses_leased on analyses (lease_until) where state in ('waiting', 'running');

create table import_orders (
  -- Gone when it ended.
  experiment_id bigint primary key references objects on delete cascade,
  -- What to read: type and files, whose bytes are blobs of the experiment.
  files jsonb not null,
  attempts integer not null default 0,
  -- Grows with each attempt; who holds an older one may not write any more.
  lease integer not null default 0,
  -- Until when it is looked after; 'infinity' while it waits for its job.
  lease_until timestamptz not null default 'infinity',
  ordered_at timestamptz not null default now(),
  -- The worker that does it: when that is dead nobody waits for the lease to end.
  holder bigint
);
