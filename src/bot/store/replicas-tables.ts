export interface ReplicasTables {
  replicas: ReplicasTable;
  leases: LeasesTable;
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
