-- Chains that start where another has ended its warmup. They are queued then, with that checkpoint; null: warmed up itself.
alter table experiment_chains add column warmed_by integer;
