/** A slash command as Slack sends it. */
export function command(name: string, text: string, more: Record<string, string> = {}) {
  return {
    command: name,
    text,
    team_id: 'T1',
    channel_id: 'C1',
    channel_name: 'general',
    user_id: 'U1',
    user_name: 'alice',
    trigger_id: '1.2.3',
    response_url: 'http://127.0.0.1:9/expired',
    ...more,
  };
}
