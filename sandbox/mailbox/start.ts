// Starts the simulated mail server beside the simulated registries, and returns its part of their
// ready line.
import { startMailControl } from './control.ts'
import { startMailServer } from './index.ts'

/** With mails kept in the folder, and a control that wants this token. */
export async function startMailbox(folder: string, token: string) {
  const mails = await startMailServer({ data_dir: folder })
  const control = await startMailControl(mails, token)
  return {
    ready: { url: mails.url, folder, control: { url: control.url } },
    close: async () => {
      await Promise.all([control.close(), mails.close()])
    },
  }
}
