-- Leave-one-out by moment matching is carried out as a task of its experiment.
alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check
  check (kind in ('analysis', 'call', 'export', 'import', 'moment_match', 'program'));
