import { describe, expect, it } from 'vitest';
import { attachedTo } from '../../../../../src/bot/slack/features/asking/events.ts';

describe('the files of a message', () => {
  it('are read as Slack describes them', () => {
    const file = {
      id: 'F1',
      name: 'app.py',
      title: 'The app',
      mimetype: 'text/x-python',
      filetype: 'python',
      size: 1_024,
      mode: 'snippet',
      url_private: 'https://files.slack.com/files-pri/T1-F1/app.py',
      permalink: 'https://acme.slack.com/files/U1/F1/app.py',
    };
    expect(attachedTo({ files: [file] })).toEqual([
      {
        id: 'F1',
        name: 'app.py',
        mimetype: 'text/x-python',
        filetype: 'python',
        size: 1_024,
        url: 'https://files.slack.com/files-pri/T1-F1/app.py',
      },
    ]);
  });

  it('of which Slack tells the id alone keep it as their name', () => {
    expect(attachedTo({ files: [{ id: 'F1', file_access: 'check_file_info' }] })).toEqual([
      { id: 'F1', name: 'F1', mimetype: '', filetype: '', size: 0, url: null },
    ]);
  });

  it('that cannot be read, or were taken away, do not lose the others', () => {
    const files = [null, 'x', { name: 'no id' }, { id: 'F1', mode: 'tombstone' }, { id: 'F2', size: 'x' }];
    expect(attachedTo({ files }).map(({ id }) => id)).toEqual(['F2']);
  });

  it('are none where there are none', () => {
    expect(attachedTo({})).toEqual([]);
  });
});
