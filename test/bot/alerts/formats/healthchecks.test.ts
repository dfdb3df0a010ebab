import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

describe('a check of healthchecks.io', () => {
  const DOWN = 'healthchecks-down';

  it('is up again, and the same check', () => {
    const message = variant(DOWN, { title: '“Nightly invoice export” is UP.', text: '' });
    expect(says(message, 'kind', 'title', 'errorMessage', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      title: 'Nightly invoice export',
      errorMessage: null,
      ...says(messageOf(DOWN), 'fingerprint'),
    });
  });

  it('is recognised by its link alone, and by its fields alone', () => {
    const linked = { ...variant(DOWN, { fields: [] }), username: 'x' };
    expect(says(linked, 'format', 'service', 'tags')).toStrictEqual({
      format: 'healthchecks',
      service: null,
      tags: [],
    });
    const listed = { ...variant(DOWN, { title_link: undefined, title: '"A "B"" is DOWN.' }), username: 'x' };
    expect(says(listed, 'format', 'title', 'alertUrl')).toStrictEqual({
      format: 'healthchecks',
      title: 'A "B"',
      alertUrl: null,
    });
  });

  it('is another check in another project', () => {
    const print = (Project: string) =>
      says(variant(DOWN, { title_link: '', fields: [{ title: 'Project', value: Project }] }), 'fingerprint')
        .fingerprint;
    expect(print('A')).not.toBe(print('B'));
  });
});
