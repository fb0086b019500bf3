// The list of toasts, which is over the page.
import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { connectToasts } from '../lib/toasts.ts'
import { common } from '../messages/common-texts.ts'
import { Icon } from './icon.tsx'
import { usePopupContainer } from './popups/popups.tsx'

export default function ToastList() {
  const container = usePopupContainer()
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal container={container}>
        <Toast.Viewport
          aria-label={common.notifications}
          className="fixed inset-x-4 bottom-20 z-50 flex flex-col gap-2 outline-none sm:left-auto sm:w-88 md:bottom-6"
        >
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts, add, close } = Toast.useToastManager()
  useEffect(
    () =>
      connectToasts(({ title, description, undo }) => {
        const onClick = () => {
          close(id)
          undo?.()
        }
        const actionProps = undo && { children: common.undo, onClick }
        const id = add({ title, description, ...(actionProps && { actionProps }) })
      }),
    [add, close],
  )
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg border border-line bg-raised shadow-popup data-limited:hidden"
    >
      <Toast.Content className="flex items-center gap-3 py-2.5 pr-2 pl-4">
        <div className="min-w-0 grow">
          <Toast.Title className="font-medium break-words" />
          <Toast.Description className="text-sm text-muted" />
        </div>
        <Toast.Action className="h-8 rounded-md px-2.5 font-medium text-accent-ink hover:bg-sunken" />
        <Toast.Close
          aria-label={common.close}
          className="rounded-md p-2 text-muted hover:bg-sunken"
        >
          <Icon name="close" className="size-3.5" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
