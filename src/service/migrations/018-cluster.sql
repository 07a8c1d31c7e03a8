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
