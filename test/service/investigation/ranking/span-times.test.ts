import { describe, expect, it } from 'vitest';
import { takeApart } from '../../../../src/service/investigation/ranking/span-times.ts';
import type { Span } from '../../../../src/service/telemetry/model.ts';

function span(id: string, parent: string | null, service: string, at: number, durationMs: number): Span {
  const operation = id.replace(/\d+$/, '');
  return {
    traceId: 't',
    spanId: id,
    parentSpanId: parent,
    service,
    operation,
    at,
    durationMs,
    failed: null,
    message: null,
  };
}

const trace = [
  span('page', null, 'front', 0, 100),
  span('GET1', 'page', 'front', 10, 30),
  span('basket', 'GET1', 'cart', 15, 20),
  span('GET2', 'page', 'front', 30, 50),
  span('price', 'GET2', 'catalogue', 35, 40),
];

describe('taking traces apart', () => {
  const { timings, shapes, roots, requests } = takeApart(trace);
  const timing = (kind: string, service: string) => {
    const found = timings.filter((one) => one.kind === kind && one.service === service);
    return found.map(({ callee, operation, values }) => [callee, operation, ...values]);
  };

  it('counts the time of a span that no child covers, children that run at once only once', () => {
    expect(timing('self', 'front')).toEqual([[null, 'page …', 30]]);
    expect(timing('self', 'cart')).toEqual([[null, 'basket', 20]]);
  });

  it('counts what a call takes beside the work of whom it calls', () => {
    expect(timing('call', 'front')).toEqual([
      ['cart', 'basket', 10],
      ['catalogue', 'price', 10],
    ]);
  });

  it('knows which calls work makes, and whom it called last', () => {
    const page = shapes.find(({ operation }) => operation === 'page');
    expect(page?.sets[page.of[0] ?? 0]?.map(({ service }) => service)).toEqual(['cart', 'catalogue']);
    expect(page?.lastCalled).toEqual(['catalogue']);
  });

  it('knows when requests began and what they took', () => {
    expect([...roots]).toEqual([0]);
    expect([...requests]).toEqual([100]);
  });

  it('takes a span whose parent is missing for the beginning of a trace, and survives one that is its own parent', () => {
    expect([...takeApart([span('late1', 'gone', 'cart', 5, 10)]).requests]).toEqual([10]);
    expect([...takeApart([span('loop1', 'loop1', 'cart', 5, 10)]).requests]).toEqual([10]);
  });

  it('finds where failures begin', () => {
    const failed = trace.map((one) => ({ ...one, failed: ['page', 'GET2', 'price'].includes(one.spanId) }));
    expect(takeApart(failed).outcomes.map(({ service, operation }) => [service, operation])).toEqual([
      ['catalogue', 'price'],
    ]);
  });
});
