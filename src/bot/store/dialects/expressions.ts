import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** What SQLite and PostgreSQL write differently. JSON is text in both; malformed JSON never raises an error. */
interface Expressions {
  /** The strings, as a subquery with one parameter. */
  valuesOf(strings: readonly string[]): RawBuilder<string>;
  /** The order in which rows of `inbox` were stored. */
  arrival: RawBuilder<unknown>;
  /** The length of the JSON array in a column; 0 for anything else. */
  jsonLength(column: string): RawBuilder<number>;
  /** The number in a field of a column's JSON object, or null. */
  jsonNumber(column: string, field: string): RawBuilder<number | null>;
  /** The position of a text in a column, from 1; 0 if it does not occur. */
  positionIn(column: string, text: string): RawBuilder<number>;
}

const sqlite: Expressions = {
  valuesOf: (strings) => sql`(select value from json_each(${JSON.stringify(strings)}))`,
  arrival: sql`rowid`,
  jsonLength: (column) =>
    sql`case when json_valid(${sql.ref(column)}) then json_array_length(${sql.ref(column)}) else 0 end`,
  jsonNumber: (column, field) =>
    sql`case when json_valid(${sql.ref(column)}) then json_extract(${sql.ref(column)}, ${`$.${field}`}) end`,
  positionIn: (column, text) => sql`instr(${sql.ref(column)}, ${text})`,
};

const postgres: Expressions = {
  valuesOf: (strings) => sql`(select unnest(${strings}::text[]))`,
  arrival: sql`arrival`,
  jsonLength: (column) =>
    sql`case when jsonb_typeof(gumshoe_json(${sql.ref(column)})) = 'array' then jsonb_array_length(gumshoe_json(${sql.ref(column)})) else 0 end`,
  jsonNumber: (column, field) => sql`(gumshoe_json(${sql.ref(column)}) ->> ${field})::numeric`,
  positionIn: (column, text) => sql`strpos(${sql.ref(column)}, ${text})`,
};

/** The expressions for a database's dialect. */
export function expressionsOf<Tables>(db: Kysely<Tables>): Expressions {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
}
