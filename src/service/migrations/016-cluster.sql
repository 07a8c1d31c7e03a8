-- Several machines: which services and workers there are, of which version, and where each keeps its files.

alter table workers add column version text not null default '';
alter table workers add column engine integer not null default 0;

create table services (
  id integer generated always as identity primary key,
  host text not null,
  pid integer not null,
  version text not null,
  -- Which store its files are in: two services that differ do not see each other's files.
  files text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- What workers have to do, for those who start more of them: chains that wait to be
-- taken, those at work, and what there is beside chains.
create view chain_load as
  select count(*) filter (where c.state = 'queued') as waiting, count(*) filter (where c.state = 'running') as running,
    -- services make exports themselves
    (select count(*) from tasks where kind <> 'export') as tasks
  from experiment_chains c join objects o on o.id = c.experiment_id
  where (c.state = 'running' or c.state = 'queued' and c.desired_state = 'run') and o.deleted_at is null;

create index chains_paused on experiment_chains (experiment_id) where state = 'paused';
