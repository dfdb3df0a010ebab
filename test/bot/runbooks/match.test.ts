import { describe, expect, it } from 'vitest';
import { runbooksFor, type Subject, servicesOf } from '../../../src/bot/runbooks/match.ts';
import { readPage } from '../../../src/bot/runbooks/page.ts';

const page = (path: string, front = '') =>
  readPage(front === '' ? '1. Look' : `---\n${front}\n---\n1. Look`, { path, url: null }).runbook;

const POOL: Subject = {
  titles: ['HighErrorRate checkout (prod critical)'],
  service: 'checkout',
  cause: 'connection-pool exhaustion in payments',
};

const isShown = (path: string, front: string, subject: Partial<Subject> = {}) =>
  runbooksFor({ ...POOL, ...subject }, [page(path, front)]).length > 0;

describe('a runbook is shown', () => {
  it.each([
    ['for the alert in its front matter', 'a.md', 'alert: HighErrorRate'],
    ['for the alert that its file is called like', 'high-error-rate.md', ''],
    ['for the service that its file is called like', 'checkout.md', ''],
    ['for the kind of cause that its file is called like', 'connection-pool-exhaustion.md', ''],
    ['for the alert in the folder of its service', 'checkout/HighErrorRate.md', ''],
    ['as the first page of the folder of its service', 'services/checkout/README.md', ''],
    ['for its service', 'a.md', 'service: check*'],
    ['for the alert of any service', 'kubernetes/a.md', 'alert: HighErrorRate\nservice: "*"'],
    [
      'for the cause at the place that it names',
      'a.md',
      'service: payments\ncause: connection-pool exhaustion',
    ],
  ])('%s', (_, path, front) => {
    expect(isShown(path, front)).toBe(true);
  });

  it('for an alert by the whole name that its tool writes, and by what stands before a colon', () => {
    expect(isShown('a.md', 'alert: Disk almost full', { titles: ['Disk almost full: db-1 at 91%'] })).toBe(
      true,
    );
    expect(isShown('disk-almost-full.md', '', { titles: ['Disk almost full'] })).toBe(true);
  });
});

describe('a runbook is not shown', () => {
  it.each([
    ['for another service', 'a.md', 'alert: HighErrorRate\nservice: payments'],
    ['for the place of a cause that it does not name', 'payments.md', ''],
    ['for the place of another cause', 'a.md', 'service: payments\ncause: memory leak'],
    ['in the folder of another service', 'payments/HighErrorRate.md', ''],
    ['in a folder of which it is not known what it is', 'kubernetes/a.md', 'alert: HighErrorRate'],
    ['if only one of two things is true', 'a.md', 'service: checkout\ncause: disk full'],
    ['for a name that the alert’s only begins with', 'a.md', 'alert: High'],
    ['for a part of a kind of cause', 'connection.md', ''],
    ['if it says nothing of what it is about', 'notes.md', 'title: HighErrorRate'],
    ['as the first page of all', 'README.md', ''],
  ])('%s', (_, path, front) => {
    expect(isShown(path, front)).toBe(false);
  });

  it('for a plain word that a sentence begins with', () => {
    expect(isShown('Checkout.md', '', { titles: ['Checkout is slow'], service: null })).toBe(false);
  });

  it('for a service where the issue names none', () => {
    expect(isShown('a.md', 'service: checkout', { service: null })).toBe(false);
  });
});

it('those that say more of the issue come first, and two at most are shown', () => {
  const pages = [
    page('connection-pool-exhaustion.md'),
    page('checkout.md'),
    page('HighErrorRate.md'),
    page('checkout/HighErrorRate.md'),
  ];
  expect(runbooksFor(POOL, pages).map(({ path }) => path)).toEqual([
    'checkout/HighErrorRate.md',
    'HighErrorRate.md',
  ]);
});

it('a runbook is about those services of the issue that it names, or about all of them', () => {
  expect(servicesOf(page('HighErrorRate.md'), POOL)).toEqual(['checkout', 'payments']);
  expect(servicesOf(page('checkout.md'), POOL)).toEqual(['checkout']);
  expect(servicesOf(page('a.md', 'service: payments\ncause: connection-pool exhaustion'), POOL)).toEqual([
    'payments',
  ]);
});
