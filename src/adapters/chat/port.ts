// The port of the operators' chat: posts a message.

/**
 * posted: it is there. refused: the chat does not take it, and the reason. away: no answer came, so
 * it may be there. None has the address of the chat in it, which is a secret.
 */
export type Posting =
  | { kind: 'posted' }
  | { kind: 'refused' | 'away'; reason: string; retry_after_s: number | null }

export type Chat = {
  /** One attempt. Never rejects for what a server or a network does. */
  post: (text: string) => Promise<Posting>
}
