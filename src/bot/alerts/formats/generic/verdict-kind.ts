/** `noted` is an acknowledgement, a downtime, an update: about an alert, and neither its start nor its end. */
export type Verdict = 'firing' | 'resolved' | 'noted' | 'none';
