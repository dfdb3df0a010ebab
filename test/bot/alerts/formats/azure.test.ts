import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messageOf, says, toolMessage, variant } from '../fixtures.ts';

const FIRED = 'azure-monitor-metric-fired';
const Blocks = z.array(z.object({ blocks: z.array(z.unknown()) })).min(1);
const blocks = Blocks.parse(messageOf(FIRED).attachments)[0]?.blocks ?? [];
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const resource = (id: string) =>
  section(`*Resource:* \n <https://portal.azure.com/#@8f2e1c/resource/subscriptions/${id}|the-app>`);

describe('an alert of Azure Monitor', () => {
  it.each([
    ['Fired', 'firing'],
    ['Resolved', 'resolved'],
  ])('that ends in %s is %s, whatever its colour', (word, kind) => {
    const message = { ...variant(FIRED, { color: '1d70b8' }), text: `s189p01-checkout-cpu: ${word}` };
    expect(says(message, 'kind', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(FIRED), 'fingerprint'),
    });
  });

  it.each([
    ['d4351c', 'firing'],
    ['00703c', 'resolved'],
  ])('without a text gets its state from its colour %s', (color, kind) => {
    expect(says({ ...variant(FIRED, { color }), text: '' }, 'format', 'kind')).toStrictEqual({
      format: 'azure',
      kind,
    });
  });

  it.each([
    ['Sev0', 'high'],
    ['Sev1', 'high'],
    ['Sev2', 'medium'],
    ['Sev3', 'low'],
    ['Sev4', 'low'],
  ])('of %s is %s', (severity, means) => {
    const message = variant(FIRED, {
      blocks: [section(`*Severity:* \n ${severity}`), section('*Alert Rule:* cpu \n*Description:* _hot_ ')],
    });
    expect(says(message, 'severity', 'title', 'errorMessage', 'service', 'alertUrl')).toStrictEqual({
      severity: means,
      title: 'cpu',
      errorMessage: 'hot',
      service: null,
      alertUrl: null,
    });
  });

  it('says the same in any order of its blocks', () => {
    const { description: _, ...whole } = says(
      messageOf(FIRED),
      'kind',
      'title',
      'service',
      'severity',
      'errorMessage',
      'fingerprint',
      'description',
    );
    for (let by = 1; by < blocks.length; by += 1) {
      const turned = [...blocks.slice(by), ...blocks.slice(0, by)];
      expect(
        says(
          variant(FIRED, { blocks: turned }),
          'kind',
          'title',
          'service',
          'severity',
          'errorMessage',
          'fingerprint',
        ),
      ).toStrictEqual(whole);
    }
  });

  it('is a different alert for another resource', () => {
    const read = (id: string) =>
      says(variant(FIRED, { blocks: [section('*Alert Rule:* cpu'), resource(id)] }), 'fingerprint')
        .fingerprint;
    expect(read('a')).not.toBe(read('b'));
    expect(read('a')).toBe(read('A'));
  });

  it('is recognised by its text alone where its sender is called Azure, and by no text alone else', () => {
    const text = 'Nightly export: Fired';
    const own = { ...messageOf(FIRED), text, attachments: [] };
    expect(says(own, 'format', 'kind', 'title')).toStrictEqual({
      format: 'azure',
      kind: 'firing',
      title: 'Nightly export',
    });
    const message = toolMessage({ text });
    expect(says(message, 'format')).toStrictEqual({ format: 'generic' });
  });
});
