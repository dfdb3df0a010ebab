export interface ReplicasTables {
  replicas: ReplicasTable;
  leases: LeasesTable;
  allowances: AllowancesTable;
}

/** The processes that work on one database, where there may be several. */
interface ReplicasTable {
  id: string;
  /** By the database's clock. */
  seenAt: number;
  leads: boolean;
  /** How it is doing, as JSON, while it leads. */
  status: string | null;
}

/** What only one replica at a time may do, by key. */
interface LeasesTable {
  key: string;
  /** Another one each time it is taken. */
  owner: string;
  /** By the database's clock. */
  until: number;
}

/** How often something was done within one minute, by whatever replica heard of it. */
interface AllowancesTable {
  key: string;
  /** Minutes since the epoch, by the database's clock. */
  minute: number;
  count: number;
}
