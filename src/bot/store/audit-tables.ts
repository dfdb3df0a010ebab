export interface AuditTables {
  audit: AuditTable;
}

interface AuditTable {
  id: string;
  at: number;
  who: string;
  what: string;
  issueId: string | null;
  /** The channel whose settings were changed. */
  channel: string | null;
}
