import type { Database } from 'better-sqlite3';

/** An event that the app has not acknowledged yet. */
export interface Delivery {
  id: string;
  /** The body of the event, JSON. */
  payload: string;
  /** 0 on the first attempt, then 1 to 3. */
  attempt: number;
  /** Why the attempt before failed; empty on the first. */
  reason: string;
  /** Milliseconds since the epoch. */
  due_at: number;
}

export interface DeliveryStore {
  add(delivery: Delivery): void;
  postpone(delivery: Delivery): void;
  done(id: string): void;
  /** What is still to be delivered, oldest first. */
  pending(): Delivery[];
}

export function createDeliveryStore(db: Database): DeliveryStore {
  const add = db.prepare<Delivery>(
    `INSERT INTO deliveries (id, payload, attempt, reason, due_at, position)
     VALUES (@id, @payload, @attempt, @reason, @due_at, (SELECT coalesce(max(position), 0) + 1 FROM deliveries))`,
  );
  const postpone = db.prepare<Delivery>(
    'UPDATE deliveries SET attempt = @attempt, reason = @reason, due_at = @due_at WHERE id = @id',
  );
  const done = db.prepare<[string]>('DELETE FROM deliveries WHERE id = ?');
  const pending = db.prepare<[], Delivery>(
    'SELECT id, payload, attempt, reason, due_at FROM deliveries ORDER BY position',
  );
  return {
    add: (delivery) => {
      add.run(delivery);
    },
    postpone: (delivery) => {
      postpone.run(delivery);
    },
    done: (id) => {
      done.run(id);
    },
    pending: () => pending.all(),
  };
}
