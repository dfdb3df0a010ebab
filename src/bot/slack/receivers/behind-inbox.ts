import type { App } from '@slack/bolt';
import type { Logger } from '../../../lib/log.ts';
import { isBody } from './body.ts';
import type { Inbox } from './inbox.ts';
import { hasOutline } from './outline.ts';

/** The app as a receiver sees it: what it hands over is stored first (DESIGN section 1). */
export function behindInbox(app: App, inbox: Inbox, log: Pick<Logger, 'warn'>): App {
  const processEvent: App['processEvent'] = async ({ body, ack, customProperties }) => {
    if (!isBody(body) || !hasOutline(body)) {
      log.warn({ type: typeof body.type === 'string' ? body.type : null }, 'ignored a malformed request');
      return ack();
    }
    const envelopeId: unknown = customProperties?.envelopeId;
    await inbox.accept({
      body,
      ack,
      ...(typeof envelopeId === 'string' ? { envelopeId } : {}),
    });
  };
  return new Proxy(app, {
    get: (target, name, self) => (name === 'processEvent' ? processEvent : Reflect.get(target, name, self)),
  });
}
