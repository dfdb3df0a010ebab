export interface AuditTables {
  audit: AuditTable;
  auditHead: AuditHeadTable;
}

interface AuditTable {
  id: string;
  at: number;
  who: string;
  what: string;
  issueId: string | null;
  /** The channel whose settings were changed. */
  channel: string | null;
  /** Its place in the chain; `null` if written by a release without chains, until the next entry is added. */
  seq: number | null;
  hash: string | null;
}

/** The last link of the audit's chain. */
interface AuditHeadTable {
  id: number;
  seq: number;
  hash: string;
}
