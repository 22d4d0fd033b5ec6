"""The refused requests of applications: logged, counted, and kept for their administrators.

RPCs: ListRefusals of ApplicationService, and the refusals of OAuthService and GateService.

The rule: anybody can send requests with the `client_id` of an application. Whatever they send,
memory, rows and labels of metrics are bounded, and no application loses its refusals to another.
"""
