/**
 * What the documented API and its public clients have, item by item: endpoints, parameters, variants, fields, values.
 * `D`: in the document; `P`: what public clients do or expect; `us`: ours, announced as a capability.
 *
 * Each group says what else a test must mention to count as a test of its items, since names such as `status` recur.
 */
export interface DocumentedGroup {
  readonly title: string;
  readonly mark: 'D' | 'P' | 'us';
  readonly items: readonly string[];
  /** A test of these items must also match this. */
  readonly context?: RegExp;
}

const words = (text: string) => text.trim().split(/\s+/);
const list = /listObjects|object_type=|objects\b/;
const experiment = /experiment/i;

export const documented: readonly DocumentedGroup[] = [
  {
    title: 'Envelopes and headers',
    mark: 'D',
    items: words('status code message authorization x-share-password x-request-id'),
  },
  {
    title: '`GET /api/object`: parameters',
    mark: 'D',
    context: list,
    items: words(
      'object_type page_no page_size with_share_info shared_by_me shared_with_me model_ids workflow_id workflow_ids status run_on has_model tags',
    ),
  },
  {
    title: '`GET /api/object`: answer',
    mark: 'D',
    context: list,
    items: words('total page count_per_page objects'),
  },
  {
    title: '`GET /api/object`: search',
    mark: 'us',
    context: list,
    items: words(
      'q sort owner data_id member_id verdict created_from created_to finished_from finished_to with_counts status_counts',
    ),
  },
  {
    title: 'Kinds that are created, listed, viewed, deleted and restored',
    mark: 'D',
    items: words('model experiment share event callback relation data workflow'),
    context: /create|Create/,
  },
  {
    title: 'Deleting',
    mark: 'P',
    context: /delete/i,
    items: words('objids deleted_key'),
  },
  {
    title: '`GET /api/object/{objid}`: parameters',
    mark: 'D',
    items: words(
      'share_id sampledata fmt n_iteration cloudwatch_log batch_id run_id view-analyzer stdlog plot_func plot_chain plot_var',
    ),
  },
  {
    title: 'View variants',
    mark: 'D',
    items: words(
      'experiment.sampledata experiment.cloudwatch_log experiment.run_info experiment.stdlog workflow.analyzer require_password',
    ),
  },
  {
    title: '`fmt` of sample data',
    mark: 'D',
    context: /sampledata|fmt/,
    items: words('csv grist arviz'),
  },
  {
    title: 'Sample data: answer',
    mark: 'D',
    context: /sampledata|fmt=/,
    items: words('url progress message generating done error'),
  },
  {
    title: 'Experiment: fields',
    mark: 'D',
    context: experiment,
    items: words(
      'short_id name status meta run_on n_chains n_variables n_samples sample_update_time model_name model_id input output workflow_id workflow_name iteration_count action',
    ),
  },
  {
    title: 'Experiment: creating',
    mark: 'P',
    context: experiment,
    items: words('input_id meta data_file_type data_files data_uris'),
  },
  {
    title: 'Imported files',
    mark: 'P',
    items: ['turing csv', 'stan csv', 'arviz netcdf'],
  },
  {
    title: 'Experiment: states',
    mark: 'D',
    context: /status/,
    items: words('NEW RUN FIN ERR SAMPLE_FIN'),
  },
  {
    title: 'Model: fields and creating',
    mark: 'D',
    context: /model/i,
    items: words(
      'content tree meta tags lambda_image_url lambda_image_name single_instance env lang entrance_file lambda_image source_url repo branch gist project_file entrance_func manifest commit_id fixed_version_url origin_url children',
    ),
  },
  {
    title: 'Data: fields and creating',
    mark: 'D',
    context: /data/,
    items: words('description path fmt created_at updated_at base64_encoded data_uri anonymous'),
  },
  {
    title: 'Workflow: fields and updating',
    mark: 'D',
    context: /workflow/i,
    items: words(
      'model_id model_name data_id data_name data_fmt experiment_id experiment_name analyzer_id analyzer_name startup_script settings data_script share_info uri analyzer_result',
    ),
  },
  {
    title: 'Share: fields and creating',
    mark: 'P',
    context: /share/i,
    items: words(
      'objid password target_user user_id experiment_id experiment_name from_user to_user require_password',
    ),
  },
  {
    title: 'Event, callback, relation: fields',
    mark: 'P',
    items: words('lang code token object1_id object2_id params engine lock_key'),
  },
  {
    title: 'Project: fields, members and notebook',
    mark: 'us',
    items: words(
      'note tags version counts members entries added_at add remove base_version base_note entry_id text deleted share_id',
    ),
    context: /project/i,
  },
  {
    title: 'Runner messages',
    mark: 'P',
    items: words(
      'experiment.text_message experiment.protobuf_message experiment.nsample_stat workflow.analyzer_result workflow.run workflow.run_analyzer model.run_script',
    ),
  },
  {
    title: 'Runner messages: fields',
    mark: 'P',
    items: words(
      'batch_id run_id datas logs vars iteration chain_name n_sample stat return_code errlines result run_info experiment:output experiment:error experiment:finish',
    ),
  },
  {
    title: '`/invoke`',
    mark: 'D',
    items: words(
      'target action parameters get_response run_sample run_analyze cloudfunction_response experiment_id experiment_name /command',
    ),
  },
  {
    title: 'The plotting function: parameters',
    mark: 'D',
    items: words('experiment_id return_type plot_func plot_chain plot_var'),
    context: /plot_func|return_type/,
  },
  {
    title: '`/download`',
    mark: 'P',
    context: /download/,
    items: words('is_cloud fmt tar.gz zip workflow.yaml'),
  },
  {
    title: '`/sys/config`',
    mark: 'P',
    items: words(
      'run_model_url max_upload_sample_size max_upload_sample_file upload_file_types default_data_script default_analyzer capabilities',
    ),
  },
  {
    title: '`/sys/gallery`',
    mark: 'P',
    items: words('MCMC models'),
    context: /viewGallery|gallery/,
  },
  { title: '`/sys/get-arviz-data`', mark: 'P', items: words('experiment_id'), context: /[aA]rviz/ },
  {
    title: 'The run proxy',
    mark: 'P',
    items: words('cmd run_in_lambda run_in_fargate after_sample'),
  },
  {
    title: 'Notifications',
    mark: 'P',
    context: /otification/,
    items: words(
      'id event title message msg_object msg_verb created_at read_at notification_ids read unread all',
    ),
  },
  {
    title: 'Accounts',
    mark: 'P',
    items: words(
      'username password new_password super roles is_github_user tokens token_name token_desc token_expire name desc expire linked_accounts access_token ClientID Domain',
    ),
  },
  {
    title: 'WebSockets',
    mark: 'P',
    items: words(
      'authorization authorized on.notification names subscribe unsubscribe experiment:event experiment:output experiment:error experiment:finish',
    ),
    context: /socket|Socket/,
  },
  {
    title: 'Draws',
    mark: 'us',
    context: /[dD]raws/,
    items: words('variable chain phase from to max_points share_id'),
  },
  {
    title: 'Logs, versions, run control, share options, room',
    mark: 'us',
    items: words(
      'stream base_version stop pause resume extend extend_by expires_at include queue_place verdict progress freeSpace viewSpace viewSavedViews updateSavedViews',
    ),
  },
];
