/**
 * The tables in which a Grist document describes itself, at version 28 of Grist's schema and version 9 of its storage:
 * later Grists bring such a document up to date when they open it.
 */

const GRIST_SCHEMA_VERSION = 28;
const GRIST_STORAGE_VERSION = 9;

type Kind = 'text' | 'int' | 'bool' | 'position' | 'list' | 'time';

const sqlOf: Readonly<Record<Kind, string>> = {
  text: "TEXT DEFAULT ''",
  int: 'INTEGER DEFAULT 0',
  bool: 'BOOLEAN DEFAULT 0',
  position: 'NUMERIC DEFAULT 1e999',
  list: 'TEXT DEFAULT NULL',
  time: 'DATETIME DEFAULT NULL',
};

/** Table (without `_grist_`) → its columns as `kind name name …`, in order. */
const tables: Readonly<Record<string, readonly string[]>> = {
  DocInfo: ['text docId peers basketId', 'int schemaVersion', 'text timezone documentSettings'],
  Tables: [
    'text tableId',
    'int primaryViewId summarySourceTable',
    'bool onDemand',
    'int rawViewSectionRef',
  ],
  Tables_column: [
    'int parentId',
    'position parentPos',
    'text colId type widgetOptions',
    'bool isFormula',
    'text formula label',
    'bool untieColIdFromLabel',
    'int summarySourceCol displayCol visibleCol',
    'list rules',
    'int recalcWhen',
    'list recalcDeps',
  ],
  Imports: [
    'int tableRef',
    'text origFileName parseFormula delimiter',
    'bool doublequote',
    'text escapechar quotechar',
    'bool skipinitialspace',
    'text encoding',
    'bool hasHeaders',
  ],
  External_database: ['text host', 'int port', 'text username dialect database storage'],
  External_table: ['int tableRef databaseRef', 'text tableName'],
  TableViews: ['int tableRef viewRef'],
  TabItems: ['int tableRef viewRef'],
  TabBar: ['int viewRef', 'position tabPos'],
  Pages: ['int viewRef indentation', 'position pagePos'],
  Views: ['text name type layoutSpec'],
  Views_section: [
    'int tableRef parentId',
    'text parentKey title',
    'int defaultWidth borderWidth',
    'text theme options chartType layoutSpec filterSpec sortColRefs',
    'int linkSrcSectionRef linkSrcColRef linkTargetColRef',
    'text embedId',
  ],
  Views_section_field: [
    'int parentId',
    'position parentPos',
    'int colRef width',
    'text widgetOptions',
    'int displayCol visibleCol',
    'text filter',
    'list rules',
  ],
  Validations: ['text formula name', 'int tableRef'],
  REPL_Hist: ['text code outputText errorText'],
  Attachments: [
    'text fileIdent fileName fileType',
    'int fileSize imageHeight imageWidth',
    'time timeDeleted timeUploaded',
  ],
  Triggers: ['int tableRef', 'list eventTypes', 'int isReadyColRef', 'text actions'],
  ACLRules: [
    'int resource permissions',
    'text principals aclFormula',
    'int aclColumn',
    'text aclFormulaParsed permissionsText',
    'position rulePos',
    'text userAttributes',
  ],
  ACLResources: ['text tableId colIds'],
  ACLPrincipals: ['text type userEmail userName groupName instanceId'],
  ACLMemberships: ['int parent child'],
  Filters: ['int viewSectionRef colRef', 'text filter'],
};

/** Tables of Grist's storage, which its data engine does not know. */
const storage = [
  'CREATE TABLE _gristsys_Files (id INTEGER PRIMARY KEY, ident TEXT UNIQUE, data BLOB, storageId TEXT)',
  `CREATE TABLE _gristsys_Action (id INTEGER PRIMARY KEY, "actionNum" BLOB DEFAULT 0, "time" BLOB DEFAULT 0,
    "user" BLOB DEFAULT '', "desc" BLOB DEFAULT '', "otherId" BLOB DEFAULT 0, "linkId" BLOB DEFAULT 0,
    "json" BLOB DEFAULT '')`,
  `CREATE TABLE _gristsys_Action_step (id INTEGER PRIMARY KEY, "parentId" BLOB DEFAULT 0, "type" BLOB DEFAULT '',
    "name" BLOB DEFAULT '', "tableId" BLOB DEFAULT '', "colIds" BLOB DEFAULT '', "rowIds" BLOB DEFAULT '',
    "values" BLOB DEFAULT '', "json" BLOB DEFAULT '')`,
  `CREATE TABLE _gristsys_ActionHistory (id INTEGER PRIMARY KEY, actionHash TEXT UNIQUE, parentRef INTEGER,
    actionNum INTEGER, body BLOB)`,
  'CREATE TABLE _gristsys_ActionHistoryBranch (id INTEGER PRIMARY KEY, name TEXT UNIQUE, actionRef INTEGER)',
  "INSERT INTO _gristsys_ActionHistoryBranch(name) VALUES ('shared'), ('local_sent'), ('local_unsent')",
  `CREATE TABLE _gristsys_FileInfo (id INTEGER PRIMARY KEY CHECK (id = 0), docId TEXT DEFAULT '',
    ownerInstanceId TEXT DEFAULT '')`,
  'INSERT INTO _gristsys_FileInfo (id) VALUES (0)',
  `CREATE TABLE _gristsys_PluginData (id INTEGER PRIMARY KEY, pluginId TEXT NOT NULL, key TEXT NOT NULL,
    value BLOB DEFAULT '')`,
  'CREATE UNIQUE INDEX _gristsys_PluginData_unique_key ON _gristsys_PluginData(pluginId, key)',
];

/** Everyone with the document may do everything, as in every new one. */
const access = [
  "INSERT INTO _grist_ACLRules (resource, permissions, principals) VALUES (1, 63, '[1]')",
  'INSERT INTO _grist_ACLResources (id) VALUES (1)',
  `INSERT INTO _grist_ACLPrincipals (type, groupName) VALUES ('group', 'Owners'), ('group', 'Admins'),
    ('group', 'Editors'), ('group', 'Viewers')`,
];

/** Statements that create an empty document. */
export function emptyDocument(): string {
  const statements = Object.entries(tables).map(([name, groups]) => {
    const columns = groups.flatMap((group) => {
      const [kind, ...names] = group.split(' ') as [Kind, ...string[]];
      return names.map((column) => `"${column}" ${sqlOf[kind]}`);
    });
    return `CREATE TABLE "_grist_${name}" (id INTEGER PRIMARY KEY, ${columns.join(', ')})`;
  });
  return [
    `PRAGMA user_version = ${GRIST_STORAGE_VERSION}`,
    ...storage,
    ...statements,
    'CREATE INDEX _grist_Attachments_fileIdent ON _grist_Attachments(fileIdent)',
    `INSERT INTO _grist_DocInfo (id, schemaVersion, timezone, documentSettings)
      VALUES (1, ${GRIST_SCHEMA_VERSION}, 'UTC', '{"locale":"en-US"}')`,
    ...access,
    '',
  ].join(';\n');
}
