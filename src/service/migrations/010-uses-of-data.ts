/** What a data object is used by is found by these, however many workflows and experiments there are. */
export const usesOfData = `
create index workflows_by_data on workflows (data_id, id desc);
create index experiments_by_data on experiments (data_id, id desc) where input_id = '';
create index experiments_by_input on experiments (input_id, id desc) where input_id <> '';
`;
