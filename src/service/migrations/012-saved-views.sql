-- Named views of lists, by user and list.
create table saved_views (
  user_id bigint not null references users,
  list text not null,
  views jsonb not null,
  primary key (user_id, list)
);
