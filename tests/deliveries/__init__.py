"""Tests of `server/deliveries`: the promises that mails and pushes share."""
