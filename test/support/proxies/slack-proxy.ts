import { ask } from './forward.ts';
import { startProxy } from './proxy.ts';

/** One call of the Web API as it passed. */
export interface PassedCall {
  method: string;
  args: URLSearchParams;
  /** Milliseconds of the machine. */
  from: number;
  /** `null` while it is under way. */
  to: number | null;
}

/** Stands between the bot and the Web API of the workspace, sees every call, and can refuse some. */
export interface SlackProxy {
  /** For `SLACK_API_URL`. */
  apiUrl: string;
  calls: PassedCall[];
  /** What becomes of a call: it passes (`null`), is refused by that name, or has its effect and no answer. */
  fault: (call: PassedCall) => null | { error: string } | 'answer lost';
  close(): Promise<void>;
}

export async function startSlackProxy(apiUrl: string): Promise<SlackProxy> {
  const target = new URL(apiUrl);
  const proxy = await startProxy({
    target,
    handle: async ({ request, response, pass }) => {
      const method = request.path.replace(target.pathname, '');
      const args = new URLSearchParams(request.body.toString());
      const call: PassedCall = { method, args, from: performance.now(), to: null };
      self.calls.push(call);
      const fault = self.fault(call);
      if (fault === null) await pass();
      else if (fault === 'answer lost') {
        (await ask(request, target)).resume();
        response.destroy();
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ok: false, error: fault.error }));
      }
      call.to = performance.now();
    },
  });
  const self: SlackProxy = {
    apiUrl: proxy.origin + target.pathname,
    calls: [],
    fault: () => null,
    close: proxy.close,
  };
  return self;
}
