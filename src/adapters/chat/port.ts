// The port of the operators' chat: posts a message.

/**
 * posted: the message is there. refused: the chat does not take it, for the given reason. away: no
 * answer came, so it may be there. No result contains the address of the chat, which is a secret.
 */
export type Posting =
  | { kind: 'posted' }
  | { kind: 'refused' | 'away'; reason: string; retry_after_s: number | null }

export type Chat = {
  /** Makes one attempt. Never rejects because of a server or a network. */
  post: (text: string) => Promise<Posting>
}
