import { describe, expect, it } from 'vitest';
import { context } from '../../../../src/bot/render/rendered.ts';
import { renderSettings, type SettingsView } from '../../../../src/bot/render/settings/settings.ts';

const view: SettingsView = {
  channel: 'C1',
  watched: true,
  suggests: false,
  settings: [
    { name: 'include', value: '“/5\\d\\d*/”' },
    { name: 'environment', value: 'the default' },
  ],
  defaultEnvironment: 'production',
  paused: null,
};

const said = (overrides: Partial<SettingsView>) => renderSettings({ ...view, ...overrides });

describe('a channel’s settings in words', () => {
  it('are listed as they were written, with a button to change them', () => {
    expect(said({})).toEqual({
      text: 'I am watching <#C1>: new alerts are filed and investigated.',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: 'I am watching <#C1>: new alerts are filed and investigated.',
            verbatim: true,
          },
        },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: '• include: “/5\\d\\d*/”\n• environment: the default, production',
            emoji: false,
          },
        },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Change settings', emoji: true },
              action_id: 'settings:open',
              value: 'C1',
            },
          ],
        },
      ],
    });
  });

  it('say that the channel only suggests', () => {
    expect(said({ suggests: true }).text).toBe(
      'I am watching <#C1> in suggest mode: each new alert gets a _File it_ button.',
    );
  });

  it('of a channel that is not watched are nothing but the way to watch it', () => {
    const { text, blocks } = said({ watched: false });
    expect(text).toBe('I am not watching <#C1>: alerts are filed here only on request.');
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'actions']);
    expect(JSON.stringify(blocks)).toContain('Watch this channel');
  });

  it('say that filing is paused, by whom and since when', () => {
    expect(said({ paused: { by: 'U1', at: Date.UTC(2026, 10, 20, 8, 15) } }).blocks[1]).toMatchObject({
      text: {
        text: expect.stringMatching(
          /^⏸️ Filing is paused in all channels \(by <@U1>, since <!date\^\d+.*2026-11-20 08:15 UTC>\)\. An admin can run `\/gumshoe resume`\.$/,
        ),
      },
    });
  });

  it('say whether a language model may see what comes from here, and where it is', () => {
    const model = { name: 'tiny:1', host: 'model.example.com' };
    const line = (maySee: boolean) => said({ model: { ...model, maySee } }).blocks.at(1);
    expect(line(true)).toEqual(
      context(
        'A language model (tiny:1 at model.example.com) may be asked about questions and issues from here. Secrets and personal data are masked first.',
      ),
    );
    expect(line(false)).toEqual(
      context(
        'The language model (tiny:1 at model.example.com) is shown nothing from here: this channel is private.',
      ),
    );
  });
});
