// Texts of the service worker, separate from those of pages because the worker is one small file.

export const notificationTexts = {
  /**
   * The title for a message that the worker cannot read, since a browser requires a notification
   * for each message.
   */
  title: 'A request is waiting for you',
} as const
