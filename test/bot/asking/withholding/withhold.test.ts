import { describe, expect, it } from 'vitest';
import { type Nameable, Names } from '../../../../src/bot/asking/withholding/names.ts';
import { Withholder } from '../../../../src/bot/asking/withholding/withhold.ts';

const ID = '0f1e2d3c4b5a69788796';
const UUID = '5d9f3c1a-7b2e-4c8d-9a10-0c1d2e3f4a5b';
const secret: Nameable = {
  id: ID,
  number: 1,
  uuid: UUID,
  titles: ['Vault key rotation failed for the payroll cluster'],
  rootCause: 'An expired signing certificate on vault-7 stopped the nightly rotation job.',
};
const open: Nameable = {
  id: 'aaaabbbbccccddddeeee',
  number: 2,
  uuid: '11111111-1111-4111-8111-111111111111',
  titles: ['Checkout error rate is high'],
  rootCause: null,
};

function names(hidden: Nameable[] = [secret], shown: Nameable[] = [open]): Names {
  const some = new Names();
  for (const issue of hidden) some.hide(issue);
  for (const issue of shown) some.show(issue);
  some.channel('C0SECRET1', true);
  some.channel('C0OPEN001', false);
  return some;
}

const never = async () => false;

async function seen(text: string, some = names(), lookUp: (n: number) => Promise<boolean> = never) {
  const withholder = new Withholder(some, lookUp);
  await withholder.grow(text);
  return withholder.end(true);
}

describe('a name of a hidden issue', () => {
  it.each([
    '#1',
    '**#1**',
    '[#1](https://example.com)',
    '\\#1',
    '# 1'.replace(' ', ''),
    '\uff031',
    '#01',
    '&#35;1',
    'issue 1',
    'Issue No. 1',
    'issue number 1',
    'issue one',
    'issue-1',
    'issue_1',
    'issue:\u00a01',
    'issue\n1',
    'issues 3, 1 and 2',
    'issues #3 and #1',
    '#0–#3',
    '#0 to #4',
    'ticket 1',
    '{"number": 1}',
    'https://service.example/issues/1',
    UUID,
    UUID.toUpperCase(),
    UUID.replaceAll('-', ''),
    UUID.slice(0, 8),
    `gumshoe-${ID}`,
    ID,
    'gumshoe-ffffffffffffffffffff',
    'https://acme.slack.com/archives/C0SECRET1/p1700000000000100',
    'https://acme.slack.com/archives/C0NOBODY1/p1700000000000100',
    '<#C0SECRET1>',
    'Vault key rotation failed for the payroll cluster',
    'VAULT KEY  ROTATION FAILED FOR THE PAYROLL CLUSTER',
    '**Vault key rotation** failed for the _payroll_ cluster',
    '**Vau**lt key rota`tion` failed for the payroll cluster',
    'Vault\u200b key rot\u00adation failed for the payroll cluster',
    'Vault, key – rotation: failed "for" (the) payroll/cluster!',
    'Vault key rotation\nfailed for the payroll cluster',
    'Vault key rotation failed for…',
    'Vault key rotation failed',
    'Vault key…',
    'Vault key rot...',
    'key rotation failed for the payroll',
    'Vault%20key%20rotation%20failed%20for%20the%20payroll%20cluster',
    '[Vault key](https://example.com) rotation failed for the payroll cluster',
    'an expired signing certificate on vault-7',
    'the expired signing certificate on Vault 7 stopped it',
  ])('%s is left out with its paragraph', async (name) => {
    expect(await seen(`Two are open.\n\nOne is ${name} as of now.\n\nThe rest is well.`)).toBe(
      'Two are open.\n\nThe rest is well.',
    );
  });

  it.each([
    'There was 1 error in 1 pod.',
    '1. Restart it.\n2. Look at it.',
    'Version 1.1, api#1, 11 issues, 1 issue, #10, #11, #12.',
    'An issue. 1 pod restarted.',
    'Checkout error rate is high (#2), see issue 2.',
    'The key of the vault failed to rotate.',
    'https://acme.slack.com/archives/C0OPEN001/p1700000000000100',
  ])('is not in: %s', async (text) => {
    expect(await seen(text)).toBe(text);
  });

  it('that is an everyday word counts where it stands as a name', async () => {
    const some = names([{ ...secret, number: 1, titles: ['Down'], rootCause: null }]);
    expect(await seen('checkout is down.\n\n- Down\n- up\n\nIt is **Down**', some)).toBe(
      'checkout is down.\n\n- up\n\n',
    );
  });

  it('that one may see has too is none', async () => {
    const some = names([{ ...secret, titles: ['Checkout error rate is high'] }]);
    const text = 'Checkout error rate is high.';
    expect(await seen(text, some)).toBe(text);
  });
});

describe('what is left out', () => {
  it('is an item of a list, with what is below it', async () => {
    expect(
      await seen(
        'Open:\n\n- **#2** Checkout error rate is high (high)\n- **#1** it\n  because of that\n  - and this\n\n  and more\n- **#2** again\n\nThat is all.',
      ),
    ).toBe('Open:\n\n- **#2** Checkout error rate is high (high)\n- **#2** again\n\nThat is all.');
  });

  it('is the last item of a list, and what follows stays apart from the list', async () => {
    expect(await seen('- #2\n- #1\n\nPayments is well.')).toBe('- #2\n\nPayments is well.');
  });

  it('is a row of a table, also by its bare number below a head that says so', async () => {
    const table = '| # | Title | Errors |\n|---|---|---|\n| 1 | something | 5 |\n| 2 | Checkout | 1 |\n';
    expect(await seen(table)).toBe('| # | Title | Errors |\n|---|---|---|\n| 2 | Checkout | 1 |\n');
  });

  it('is a block of code', async () => {
    expect(await seen('See:\n\n```\nissue 1\n\nmore\n```\nDone with it.')).toBe('See:\n\nDone with it.');
  });

  it('is all below a heading that names it', async () => {
    expect(
      await seen('# Open\n\n## #1 Vault\n\nIt is bad.\n\n### Steps\n\n- one\n\n## Checkout\n\nIs well.'),
    ).toBe('# Open\n\n## Checkout\n\nIs well.');
  });

  it('is what follows a line that stands for a heading, until something else is named', async () => {
    expect(
      await seen(
        '**#1 Vault** (ready to fix, high, production)\n\n**Root cause:** bad\n\nSee vault.\n\n- Rotate\n\nAs #2 does.',
      ),
    ).toBe('As #2 does.');
  });

  it('is the list that a paragraph announces', async () => {
    expect(await seen('The investigation of #1 suggests:\n\n- Rotate\n- Wait\n\nPayments is well.')).toBe(
      'Payments is well.',
    );
  });

  it('is the paragraph that goes on about it', async () => {
    expect(await seen('As for #1.\n\nIt was caused by a key.\n\nPayments is well.')).toBe(
      'Payments is well.',
    );
  });

  it('is an issue that nobody here knows, where the service says so', async () => {
    const asked: number[] = [];
    const lookUp = async (number: number) => asked.push(number) > 0 && number === 7;
    expect(await seen('- #7 private\n- #8 elsewhere\n- #2 ours', names(), lookUp)).toBe(
      '- #8 elsewhere\n- #2 ours',
    );
    expect(asked).toEqual([7, 8]);
  });
});

describe('an answer that breaks off', () => {
  it('does not end in the beginning of a name', async () => {
    const withholder = new Withholder(names(), never);
    await withholder.grow('All is well.\n\nBut the Vault key rotat');
    expect(await withholder.end(false)).toBe('All is well.\n\n');
  });
});
