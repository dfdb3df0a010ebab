import { describe, expect, it } from 'vitest';
import { filesToRetry, isGreen, type Report, withSecondRun } from './report.ts';

const passing = { path: 'passing', passed: 3, failed: 0, failures: [] };
const failing = (path: string, ...failures: string[]) => ({ path, passed: 1, failed: 1, failures });
const slow = (path: string) => failing(path, 'waited in vain until the card is posted');
const reportOf = (files: Report['files'], unhandled: string[] = []): Report => ({ files, unhandled });

describe('a file of the second tier is run again', () => {
  it.each([
    'waited in vain until the card is posted; there was []',
    'Test timed out in 600000ms.',
    'Hook timed out in 600000ms.',
    'listen EADDRINUSE: address already in use 127.0.0.1:9093',
    'page.click: Target page, context or browser has been closed',
    'locator.click: Timeout 120000ms exceeded.',
  ])('if it failed by the machine alone: %s', (failure) => {
    expect(filesToRetry(reportOf([passing, failing('slow', failure)]))).toEqual(['slow']);
  });

  it.each([
    ['it failed otherwise', [failing('wrong', 'expected 2 to be 1')]],
    ['it failed otherwise, too', [failing('both', 'Test timed out in 600000ms.', 'expected 2 to be 1')]],
    ['another file failed otherwise', [slow('slow'), failing('wrong', 'expected 2 to be 1')]],
    ['it said nothing', [failing('silent')]],
    ['there are more than three', ['a', 'b', 'c', 'd'].map(slow)],
    ['nothing failed', []],
  ])('but not if %s', (_, files) => {
    expect(filesToRetry(reportOf([passing, ...files]))).toEqual([]);
  });

  it('but not if there was an error outside of any test', () => {
    expect(filesToRetry(reportOf([slow('slow')], ['read ECONNRESET']))).toEqual([]);
  });

  it('and its second run is what counts', () => {
    const first = reportOf([passing, slow('slow')]);
    const again = { path: 'slow', passed: 2, failed: 0, failures: [] };
    expect(isGreen(first)).toBe(false);
    expect(withSecondRun(first, reportOf([again]))).toEqual(reportOf([passing, again]));
    expect(isGreen(withSecondRun(first, reportOf([again])))).toBe(true);
    expect(isGreen(withSecondRun(first, reportOf([again], ['read ECONNRESET'])))).toBe(false);
  });
});

it('a run without a file is not green', () => {
  expect(isGreen(reportOf([]))).toBe(false);
});
