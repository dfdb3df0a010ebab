import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The programs by the names under which they connect. */
const PROGRAMS: Record<string, 'bot' | 'service'> = {
  gumshoe: 'bot',
  'gumshoe lead': 'bot',
  'gumshoe-service': 'service',
};
/** Characters that no statement contains. */
const ENTRY = '\u0001';
const NAME_END = '\u0002';
const EXECUTED = /^LOG: {2}execute [^:]*: (?<sql>(?:select|insert|update|delete|with)\b.*)$/su;
/** What Kysely asks of the tables of its own. */
const OF_MIGRATIONS = /kysely_|_migrations|pg_catalog/u;

/** Of a server whose log can be given to a `StatementRecorder`. */
export const LOGGED_STATEMENTS = {
  log_statement: 'all',
  log_parameter_max_length: '0',
  log_line_prefix: `${ENTRY}%a${NAME_END}`,
};

export interface StatementRecorder {
  /** Takes the next part of the server's log. */
  add(part: string): void;
  /** Writes `bot.json` and `service.json` into a folder: every kind of statement once. */
  write(folder: string): void;
}

/** Keeps what bot and service ask of their databases, for the test of rolling upgrades. */
export function recordStatements(): StatementRecorder {
  const kinds = { bot: new Map<string, string>(), service: new Map<string, string>() };
  let rest = '';
  return {
    add: (part) => {
      const entries = `${rest}${part}`.split(ENTRY);
      rest = entries.pop() ?? '';
      for (const entry of entries) {
        const [name = '', text = ''] = entry.split(NAME_END);
        const program = PROGRAMS[name];
        const sql = EXECUTED.exec(text)?.groups?.sql;
        if (!program || !sql || OF_MIGRATIONS.test(sql)) continue;
        const statement = sql.trim().replaceAll('\n\t', '\n');
        kinds[program].set(kindOf(statement), statement);
      }
    },
    write: (folder) => {
      mkdirSync(folder, { recursive: true });
      for (const [program, statements] of Object.entries(kinds)) {
        const sorted = [...statements.values()].sort();
        writeFileSync(join(folder, `${program}.json`), `${JSON.stringify(sorted, null, 2)}\n`);
      }
    },
  };
}

/** The same for lists of any length. */
function kindOf(sql: string): string {
  return sql
    .replaceAll(/\$\d+/gu, '$')
    .replaceAll(/\$(?:, \$)+/gu, '$')
    .replaceAll(/\(\$\)(?:, \(\$\))+/gu, '($)');
}
