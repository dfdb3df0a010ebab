import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tablesOf, withoutLiterals } from '../../../src/service/databases/normalize.ts';
import { prefixesOf } from '../../../src/service/databases/redis-facts.ts';
import { runs } from '../../support/property-runs.ts';

describe('a statement without its literals', () => {
  it.each([
    [
      "select * from orders where email = 'anna@example.com' and n > 42",
      'select * from orders where email = ? and n > ?',
    ],
    [
      "insert into t values (1, 'a', $1), (2, 'b''c', $2) -- for Anna",
      'insert into t values (?, …, $1), (?, …, $2)',
    ],
    [
      "select E'it\\'s Anna', $tag$ Anna $tag$, U&'Anna', x'1F' /* Anna */ from \"Orders\"",
      'select ?, … from "Orders"',
    ],
    ["select * from users where name in ('Anna', 'Ben', 'Carl')", 'select * from users where name in (?, …)'],
    ["select 'Anna", 'select …'],
    ["select 'C:\\Anna' from t", 'select …'],
    ['select 1 /* Anna /* nested */ Anna */ from t', 'select …'],
    ['set app.user = Anna', 'set app.user = ?'],
    [
      'select t1.c2 from table_1 t1 where x = 0x1F or y = 1.5e-3',
      'select t1.c2 from table_1 t1 where x = ? or y = ?',
    ],
  ])('of PostgreSQL: %s', (statement, expected) => {
    expect(withoutLiterals(statement, 'postgres')).toBe(expected);
  });

  it.each([
    [
      'select * from `orders` where email = "anna@example.com" # Anna',
      'select * from orders where email = ?',
    ],
    ["update parcels set note = 'it\\'s Anna' where id = 7", 'update parcels set note = …'],
    ["select _utf8mb4'Anna', N'Anna', b'101', 3", 'select ?, …'],
    ['SELECT COUNT ( * ) FROM `big` WHERE `product` = ?', 'SELECT COUNT ( * ) FROM big WHERE product = ?'],
  ])('of MySQL: %s', (statement, expected) => {
    expect(withoutLiterals(statement, 'mysql')).toBe(expected);
  });

  const secret = 'Zq7Personal';
  const piece = fc.constantFrom(
    `'${secret}'`,
    `'${secret}''s'`,
    `E'a\\'${secret}'`,
    `$$${secret}$$`,
    `$x$${secret} ' $x$`,
    `/* ${secret} */`,
    `-- ${secret}\n`,
    `"a""b"`,
    `'it''s'`,
    `'back\\slash'`,
    `E'\\\\'`,
    'select',
    'from orders',
    'where',
    '=',
    ',',
    '(',
    ')',
    '12345',
    '$1',
    `/* a /* ${secret} */ ${secret} */`,
    `U&'${secret}'`,
    `x'00'`,
  );
  it('holds none of what was planted, wherever it is cut off', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.nat(200),
        fc.constantFrom('postgres', 'mysql'),
        (pieces, end, dialect) => {
          const whole = `${pieces.join(' ')} '${secret}`;
          // A server cuts long statements off; what remains of a literal is one all the same.
          const cut = dialect === 'mysql' ? whole.replaceAll(/\$x?\$[^$]*\$x?\$|"a""b"/gu, '?') : whole;
          expect(withoutLiterals(cut.slice(0, Math.max(1, end)), dialect)).not.toMatch(/Zq7|Personal/u);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

it('names the tables of a statement, in small letters and without schema', () => {
  expect(
    tablesOf('select * from public."Orders" o join items i on i.order_id = o.id, lateral x left join only y'),
  ).toEqual(['orders', 'items']);
  expect(tablesOf('update reviews set a = ?')).toEqual(['reviews']);
  expect(tablesOf('insert into ledger.parcels (a) values (?)')).toEqual(['parcels']);
});

describe('prefixes of keys', () => {
  it('are shown if many keys share them, and nothing else of a key is', () => {
    const keys = [
      ...Array.from({ length: 20 }, (_, i) => `session:${i}:anna@example.com`),
      'anna:1',
      'anna:2',
      'anna.schmidt@example.com',
      '4111111111111111',
      'user2718:cart',
    ];
    const prefixOf = prefixesOf(keys);
    expect([...new Set(keys.map(prefixOf))]).toEqual(['session:*', '(other keys)']);
  });
});
