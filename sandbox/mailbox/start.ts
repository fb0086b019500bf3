// The simulated mail server beside the simulated registries: what their program starts and tells of
// it.
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
