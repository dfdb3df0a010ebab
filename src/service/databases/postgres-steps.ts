import { check, command, type DatabaseStep } from './fact.ts';

export function checkSession(pid: number): DatabaseStep {
  return check(
    'Check what it is',
    `select pid, usename, application_name, client_addr, state, xact_start, query from pg_stat_activity where pid = ${pid};`,
  );
}

export function cancel(pid: number): DatabaseStep {
  return command(
    'Stop its statement',
    `select pg_cancel_backend(${pid});`,
    'The session stays; its program gets an error and may send the statement again.',
  );
}

export function terminate(pid: number): DatabaseStep {
  return command(
    'End the session',
    `select pg_terminate_backend(${pid});`,
    'What it has not committed is rolled back; its program gets a broken connection.',
  );
}

/** A text in a command that people paste; `null` where it is none that can be told from the rest of the line. */
export function literal(text: string): string | null {
  return /^[\p{L}\p{N} _.:@/\-[\]()]{1,63}$/u.test(text) ? `'${text}'` : null;
}

export function identifier(name: string): string {
  return /^[a-z_][a-z\d_$]*$/u.test(name) ? name : /^[^"\p{Cc}`]{1,63}$/u.test(name) ? `"${name}"` : '<name>';
}
