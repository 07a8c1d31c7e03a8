-- Analyses of a workflow's experiment. An open one waits or runs as a task.

create table analyses (
  id bigint generated always as identity primary key,
  workflow_id bigint not null references objects on delete cascade,
  -- The run that is analysed; a purged one leaves the result with its workflow.
  experiment_id bigint references objects on delete set null,
  -- Id of a model, of a built-in function, or empty for an analyzer that ran elsewhere.
  analyzer_id text not null,
  user_id bigint not null references users,
  state text not null check (state in ('open', 'done', 'failed')),
  -- How many processes have begun it.
  attempts integer not null default 0,
  return_code integer,
  errlines text not null default '',
  -- The file: bytes are a blob that the workflow and the experiment keep.
  hash bytea,
  file_name text not null default '',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
-- One analysis of a workflow runs at a time.
create unique index analyses_open on analyses (workflow_id) where state = 'open';
create index analyses_of_workflow on analyses (workflow_id, id desc);
create index analyses_of_experiment on analyses (experiment_id, id desc);
