-- Teams: accounts that nobody signs in to. Objects are theirs as they are a person's, and members act as their owners.

alter table users add column is_team boolean not null default false;

create table teams (
  id bigint primary key references users,
  -- The group of a provider that it follows; null: an administrator says who is in it.
  issuer text,
  group_name text,
  unique (issuer, group_name)
);

create table team_members (
  team_id bigint not null references teams on delete cascade,
  user_id bigint not null references users,
  primary key (team_id, user_id)
);
create index team_members_of_user on team_members (user_id);
