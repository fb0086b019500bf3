// Path of the settings of approvals, apart from the routes that the log-in page loads.

export const approvalSettingsPath = '/approvals/settings'
