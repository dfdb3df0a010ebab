import { ask } from './forward.ts';
import { type Exchange, startProxy } from './proxy.ts';

/** What the service does to the next requests. */
export type Fault =
  | 'none'
  | 'html'
  | '500'
  | 'silent'
  | 'reset_after_effect'
  | 'down'
  | 'key_refused'
  /** The key has no right to delete. */
  | 'no_deleting';

/** Stands between the bot and the embedded service, and can fail in the ways that services fail. */
export interface ServiceProxy {
  /** The base address, with `/api/v2`. */
  url: string;
  fault: Fault;
  /** Requests that reached it, as `POST /issues`. */
  seen: string[];
  close(): Promise<void>;
}

export async function startServiceProxy(target: string): Promise<ServiceProxy> {
  const base = new URL(target);
  async function handle({ request, response, pass }: Exchange): Promise<void> {
    const path = request.path.replace('/api/v2', '').split('?')[0];
    self.seen.push(`${request.method} ${path}`);
    const json = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number) =>
      json(status, { type: 'authentication_error', message: 'no', request_id: `req-${status}` });
    switch (self.fault) {
      case 'html':
        return void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<html><h1>It works!</h1></html>');
      case '500':
        return json(500, { type: 'api_error', message: 'something broke', request_id: 'req-500' });
      case 'down':
        return void response.destroy();
      case 'silent':
        return;
      case 'reset_after_effect':
        (await ask(request, base)).resume();
        return void response.destroy();
      case 'key_refused':
        return refuse(401);
      case 'no_deleting':
        return request.method === 'DELETE' ? refuse(403) : pass();
      case 'none':
        return pass();
    }
  }
  const proxy = await startProxy({ target: base, handle });
  const self: ServiceProxy = { url: `${proxy.origin}/api/v2`, fault: 'none', seen: [], close: proxy.close };
  return self;
}
