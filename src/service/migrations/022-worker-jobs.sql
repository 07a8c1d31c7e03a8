-- The job of a batch system in which a worker runs ('' where there is none), so that what submits such jobs knows which
-- of them have started to work.
alter table workers add column job text not null default '';
