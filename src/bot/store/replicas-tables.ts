export interface ReplicasTables {
  replicas: ReplicasTable;
  leases: LeasesTable;
  allowances: AllowancesTable;
}

/** The processes that share one database. */
interface ReplicasTable {
  id: string;
  /** By the database's clock. */
  seenAt: number;
  leads: boolean;
  /** Its status as JSON, while it leads. */
  status: string | null;
}

/** Work that only one replica at a time may do, by key. */
interface LeasesTable {
  key: string;
  /** A new value each time it is taken. */
  owner: string;
  /** By the database's clock. */
  until: number;
}

/** How often something happened within one minute, over all replicas. */
interface AllowancesTable {
  key: string;
  /** Minutes since the epoch, by the database's clock. */
  minute: number;
  count: number;
}
