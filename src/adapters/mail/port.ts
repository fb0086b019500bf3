// The port of mail delivery: the message that an adapter takes, and the possible outcomes.

export type Mail = {
  /** Unlike any other mail's; the Message-ID is made of it, so it stays through all tries. */
  id: string
  /** One address, as parseEmail gives it. */
  to: string
  subject: string
  /** Plain text, any line ends. */
  text: string
  /** The same as an HTML document (multipart/alternative); without it the mail is plain text. */
  html?: string
  /** When it was written; its Date. */
  created_at: Date
}

/**
 * sent: the server has taken it over. refused: it never will. delayed: it said to try this mail
 * later. unknown: the connection broke while it was under way, so it may have been taken. away:
 * the server did not get this mail, as it could not be reached or does not let us in.
 */
export type Posted =
  | { kind: 'sent'; message: string }
  | { kind: 'refused' | 'delayed' | 'unknown' | 'away'; message: string }

/** idle: nothing was sent yet. `trouble` is short and has no mail address. */
export type MailerHealth = { state: 'up' | 'down' | 'idle'; trouble: string | null }

export type Mailer = {
  /** One try. Never rejects for what a server or a network does. */
  send(mail: Mail): Promise<Posted>
  health(): MailerHealth
  /** Ends connections, also those that are sending. */
  close(): Promise<void>
}
