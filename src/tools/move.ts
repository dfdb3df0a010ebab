import { existsSync } from 'node:fs';
import { type Environment, type Io, processIo } from '../lib/io.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { reasonOf } from '../lib/postgres/errors.ts';
import { move } from './move/move.ts';

const USAGE = `usage: npm run move -- sqlite:./data/gumshoe.db postgres://user:password@host/database

Copies everything from the file, the bot's or the service's, into an empty PostgreSQL database, and checks it. Stop the
program first. If the copy is interrupted, the same command continues where it was.`;

/** `npm run move`: from SQLite to PostgreSQL. @returns the exit code */
export async function moveCommand(
  [from = '', to = '', ...more]: readonly string[],
  _env: Environment,
  io: Io,
): Promise<number> {
  if (!from.startsWith('sqlite:') || !/^postgres(?:ql)?:/u.test(to) || more.length > 0) {
    io.err(USAGE);
    return 2;
  }
  const file = from.slice('sqlite:'.length);
  if (!existsSync(file)) {
    io.err(`There is no database at ${file}.`);
    return 1;
  }
  try {
    let rows = 0;
    await move({
      file,
      url: to,
      onTable: (table, content) => {
        rows += content.rows;
        io.out(`${table}: ${content.rows} rows, checksum ${content.sum}`);
      },
    });
    io.out(
      `moved ${rows} rows. Set DATABASE_URL to the PostgreSQL URL, start the program, and keep ${file} until you are sure.`,
    );
    return 0;
  } catch (error) {
    io.err(
      error instanceof OperatorError ? error.message : `Could not move the database: ${reasonOf(error)}`,
    );
    return 1;
  }
}

if (import.meta.main) process.exitCode = await moveCommand(process.argv.slice(2), process.env, processIo);
