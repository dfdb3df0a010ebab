import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/service/store/store.ts';
import { runTool } from '../../support/run-tool.ts';
import { emptyDatabase } from '../support.ts';

const at = (url: string) => ({ url, directUrl: url, onConnectionLost: () => undefined });

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** What `npm run service` says where it cannot start. */
async function refusal(url: string) {
  const { code, stdout, stderr } = await runTool('src/service.ts', [], { PORT: '0', DATABASE_URL: url });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}

const socket = () => encodeURIComponent(inject('postgresSocket'));

describe('a PostgreSQL database', () => {
  it('is made by one of several replicas that start at once', async () => {
    const { url } = await emptyDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(at(url))));
    for (const store of stores) onTestFinished(store.close);
    expect(await Promise.all(stores.map((store) => store.problem()))).toEqual(Array(5).fill(null));
    expect(await query(url, 'select name from service_migrations order by name')).toEqual([
      { name: '0001-tables' },
      { name: '0002-change-contents' },
      { name: '0003-again' },
      { name: '0004-age-of-artifacts' },
      { name: '0005-model' },
      { name: '0006-organization' },
      { name: '0007-agreed-model' },
      { name: '0008-fingerprints' },
      { name: '0009-subject' },
    ]);
    expect(await query(url, `select 1 from pg_indexes where indexname = 'issuesByText'`)).toHaveLength(1);
  });

  it('is searched without the extension where it may not be created', async () => {
    const { url } = await emptyDatabase();
    const [row] = await query(url, 'select current_database() as name');
    const { name } = Object(row);
    await query(
      url,
      `create role "owner of ${name}" login password 'hush'; grant create on schema public to "owner of ${name}";
       revoke create on database ${name} from public`,
    );
    const theirs = new URL(url);
    theirs.username = encodeURIComponent(`owner of ${name}`);
    theirs.password = 'hush';
    const store = await openStore(at(theirs.href));
    onTestFinished(store.close);
    expect(await query(url, `select 1 from pg_indexes where indexname = 'issuesByText'`)).toEqual([]);
    const fields = { number: 1, title: 'Checkout fails', description: '.', environment: 'production' };
    await store.issues.create('acme', { ...fields, severity: 'low', triggeredAt: 0, context: {} }, 0);
    const { issues } = await store.list('acme', { search: 'CHECKOUT' }, null, 10);
    expect(issues).toMatchObject([{ number: 1 }]);
  });

  it('is refused where a newer release wrote it', async () => {
    const { url } = await emptyDatabase();
    await (await openStore(at(url))).close();
    await query(url, `insert into service_migrations values ('9999-later', 'now')`);
    await expect(openStore(at(url))).rejects.toThrow(
      /^The database t\w+ \(PostgreSQL at \/.+\) was written by a newer version of the service \(it has 9999-later\): run that version, or use another database\.$/u,
    );
  });

  it('is refused where it is another program’s', async () => {
    const { url } = await emptyDatabase();
    await query(url, 'create table issues (id int)');
    await expect(openStore(at(url))).rejects.toThrow(
      /belongs to another program: create one of the service's own, and name it in DATABASE_URL\.$/u,
    );
  });

  it('says that it is read-only', async () => {
    const { url } = await emptyDatabase();
    const store = await openStore(at(url));
    onTestFinished(store.close);
    const [row] = await query(url, 'select current_database() as name');
    await query(url, `alter database ${Object(row).name} set default_transaction_read_only = on`);
    const standby = await openStore(at(url));
    onTestFinished(standby.close);
    expect(await standby.problem()).toBe(
      'cannot write to the database: it is read-only, as a standby is; point DATABASE_URL to the primary',
    );
  });
});

describe('where PostgreSQL cannot be used, one sentence says why and what to do, without the password', () => {
  it.each([
    [
      'a wrong password',
      () => `postgres://postgres:hush@localhost/postgres?host=${socket()}`,
      /^The service could not start: PostgreSQL at \/\S+ refused the user postgres \(password authentication failed for user "postgres" \(28P01\)\): correct the user or the password in DATABASE_URL\.\n$/u,
    ],
    [
      'a database that is not there',
      () => `postgres://postgres:postgres@localhost/nowhere?host=${socket()}`,
      /^The service could not start: PostgreSQL at \/\S+ has no database nowhere: create it, or correct the name in DATABASE_URL\.\n$/u,
    ],
    [
      'nothing that listens',
      () => 'postgres://gumshoe:hush@127.0.0.1:1/service',
      /^The service could not start: PostgreSQL at 127\.0\.0\.1:1 cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\): check that it runs and accepts connections from here, or correct DATABASE_URL\.\n$/u,
    ],
    [
      'no address',
      () => 'postgres://gumshoe:hush@:5432',
      /^DATABASE_URL is not a URL: write postgres:\/\/user:password@host\/database, with %-codes .+\n$/u,
    ],
  ])('%s', async (_, url, sentence) => {
    const said = await refusal(url());
    expect(said).toMatch(sentence);
    expect(said).not.toContain('hush');
  });
});
