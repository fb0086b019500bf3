// The port of mail delivery: the message that an adapter takes, and the possible outcomes.

export type Mail = {
  /**
   * Unique for each mail. The Message-ID is derived from it, so it stays the same through all
   * attempts.
   */
  id: string
  /** One address, as parseEmail returns it. */
  to: string
  subject: string
  /** Plain text with any line endings. */
  text: string
  /**
   * The same text as an HTML document (multipart/alternative); without it, the mail is plain text.
   */
  html?: string
  /** When it was written, for its Date field. */
  created_at: Date
}

/**
 * sent: the server has accepted it. refused: it never will. delayed: it asked to try this mail
 * later. unknown: the connection broke while it was under way, so it may have been accepted. away:
 * the server did not get this mail, because it could not be reached or does not let us in.
 */
export type Posted =
  | { kind: 'sent'; message: string }
  | { kind: 'refused' | 'delayed' | 'unknown' | 'away'; message: string }

/** idle: nothing has been sent yet. `trouble` is short and contains no mail address. */
export type MailerHealth = { state: 'up' | 'down' | 'idle'; trouble: string | null }

export type Mailer = {
  /** Makes one attempt. Never rejects because of a server or a network. */
  send(mail: Mail): Promise<Posted>
  health(): MailerHealth
  /** Ends connections, including those that are sending. */
  close(): Promise<void>
}
