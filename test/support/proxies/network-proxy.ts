import { startProxy } from './proxy.ts';

/** The network between the bot and the workspace, which can be cut: nobody says goodbye. */
export interface NetworkProxy {
  /** For `SLACK_API_URL`; sockets go over the same network. */
  apiUrl: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startNetworkProxy(apiUrl: string): Promise<NetworkProxy> {
  const target = new URL(apiUrl);
  const proxy = await startProxy({ target, readdresses: true });
  return {
    apiUrl: proxy.origin + target.pathname,
    cut: () => proxy.setUp(false),
    mend: () => proxy.setUp(true),
    close: proxy.close,
  };
}
