-- How much of the machines a user may have, and what workers are to do.

-- Of two users with as many chains at work, who has twice the weight may have twice as many.
alter table queue_turns add column weight real not null default 1 check (weight > 0);
-- Chains of the user that run at once, on all machines; null: what the workers were started with. 0 holds all back.
alter table queue_turns add column chain_limit integer check (chain_limit >= 0);

-- drain: takes no more chains; retire: gives its chains back as well, and ends.
alter table workers add column desired_state text not null default 'work'
  check (desired_state in ('work', 'drain', 'retire'));
-- Started by itself (`ergodic worker`). That of a service ends with the service alone.
alter table workers add column is_own_process boolean not null default false;
